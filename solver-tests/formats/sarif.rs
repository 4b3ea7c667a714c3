//! What SARIF says of findings, of limits, and of what has no answer.

use super::junit::elements;
use super::{FORK, json, json_of, results, run};
use crate::command::{ENDLESS, Folder, LOST};

#[test]
fn results_are_about_the_places_that_matter() {
    let folder = Folder::new(&[("job.c", include_str!("../../benchmarks/three_bugs.c"))]);
    run(&folder, &["--check", "default", "job.c"]);
    let sarif = json(&folder, "o.sarif");
    let of = |id: &str| {
        let found = results(&sarif).iter().find(|one| one["ruleId"] == id);
        let found = found.unwrap_or_else(|| panic!("{id}: {sarif}")).clone();
        let related = found["relatedLocations"]
            .as_array()
            .cloned()
            .unwrap_or_default();
        let related = related.iter().map(|one| {
            let line = one["physicalLocation"]["region"]["startLine"].as_u64();
            let words = one["message"]["text"].as_str().unwrap_or_default();
            (line.unwrap_or_default(), words.to_string())
        });
        (found.clone(), related.collect::<Vec<_>>())
    };
    let (freed, related) = of("memory.use-after-free");
    assert_eq!(
        related,
        [
            (25, "job#1 is allocated here by main".to_string()),
            (31, "job#1 is freed here by main".to_string())
        ]
    );
    let message = freed["message"]["text"].as_str().expect("a text");
    let schedule = freed["properties"]["schedule"].as_str().expect("a text");
    let begin = "Use after free at job.c:18, in work, thread 2. To execute it again, ";
    assert!(message.starts_with(begin), "{message}");
    let words = format!("selvedge replay job.c --schedule '{schedule}'");
    assert!(message.ends_with(&words), "{message}");
    let replayed = folder.run(&[
        "replay",
        "--check",
        "default",
        "--schedule",
        schedule,
        "job.c",
    ]);
    assert_eq!(replayed.code, Some(10), "{}", replayed.err);
    let (_, related) = of("race.data-race");
    assert!(
        related.len() >= 2 && related[1].1.contains("about to"),
        "{related:?}"
    );
    let invocation = &sarif["runs"][0]["invocations"][0];
    assert_eq!(invocation["exitCode"], 10);
    assert_eq!(invocation["executionSuccessful"], true);
    assert_eq!(sarif["runs"][0]["artifacts"][0]["location"]["uri"], "job.c");
}

#[test]
fn who_blocks_whom_is_related() {
    let folder = Folder::new(&[("crossed.c", include_str!("../traces/crossed.c"))]);
    run(&folder, &["--check", "deadlock", "crossed.c"]);
    let sarif = json(&folder, "o.sarif");
    let result = &results(&sarif)[0];
    assert_eq!(result["ruleId"], "deadlock.deadlock");
    let related = result["relatedLocations"].to_string();
    for part in ["waits for", "has taken"] {
        assert!(related.matches(part).count() >= 2, "{part}: {related}");
    }
}

#[test]
fn what_has_no_answer_is_no_success() {
    let folder = Folder::new(&[("fork.c", FORK), ("endless.c", ENDLESS)]);
    let verified = run(&folder, &["fork.c"]);
    assert_eq!(verified.code, Some(5), "{}", verified.out);
    let sarif = json(&folder, "o.sarif");
    let invocation = &sarif["runs"][0]["invocations"][0];
    assert_eq!(invocation["executionSuccessful"], false);
    assert_eq!(
        (&invocation["exitCode"], results(&sarif).len()),
        (&5.into(), 0)
    );
    let notice = &invocation["toolExecutionNotifications"][0];
    let told = (&notice["descriptor"]["id"], &notice["level"]);
    assert_eq!(told, (&"unknown".into(), &"error".into()), "{notice}");
    let found = elements(&folder);
    assert_eq!(
        found.iter().filter(|one| *one == "error").count(),
        1,
        "{found:?}"
    );

    run(&folder, &["--unwind", "2", "endless.c"]);
    let sarif = json(&folder, "o.sarif");
    let invocation = &sarif["runs"][0]["invocations"][0];
    assert_eq!(invocation["executionSuccessful"], true);
    let notice = &invocation["toolExecutionNotifications"][0];
    let told = notice["message"]["text"].as_str().unwrap_or_default();
    assert_eq!(told, "Check assert: bounded (unwind 2)", "{notice}");
    assert!(!elements(&folder).iter().any(|one| one == "error"));
}

#[test]
fn suppressed_findings_are_results_that_do_not_count() {
    let folder = Folder::new(&[("lost.c", LOST)]);
    let print = json_of(&folder, &["lost.c"])["findings"][0]["fingerprint"].clone();
    let print = print.as_str().expect("a text").to_string();
    std::fs::write(folder.path("known.txt"), print).expect("a writable folder");
    run(
        &folder,
        &["--suppress", "known.txt", "--check", "assert", "lost.c"],
    );
    let sarif = json(&folder, "o.sarif");
    let [result] = results(&sarif) else {
        panic!("{sarif}");
    };
    assert_eq!(result["suppressions"][0]["kind"], "external");
    assert!(!elements(&folder).iter().any(|one| one == "failure"));
}
