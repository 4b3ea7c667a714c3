//! Files that `selvedge trace` refuses, and why.

use super::json_of;
use crate::command::{Folder, LOST};
use serde_json::Value;

#[test]
fn what_is_no_outcome_is_refused() {
    let folder = Folder::new(&[("lost.c", LOST)]);
    let good = json_of(&folder, &["lost.c"]);
    let text = serde_json::to_string_pretty(&good).expect("JSON");
    let changed = |change: &dyn Fn(&mut Value)| {
        let mut json = good.clone();
        change(&mut json);
        json.to_string().into_bytes()
    };
    let step =
        |index: usize| move |json: &Value| json["findings"][0]["trace"]["steps"][index].clone();
    assert_eq!(step(0)(&good)["thread"], 0);
    let garbage: Vec<u8> = (0..10_000_000u32)
        .map(|n| (n.wrapping_mul(2_654_435_761) >> 24) as u8)
        .collect();
    for (name, bytes, message) in [
        (
            "empty",
            Vec::new(),
            "it is not JSON: EOF while parsing a value at line 1 column 0",
        ),
        (
            "text",
            b"VERIFICATION".to_vec(),
            "it is not JSON: expected value at line 1 column 1",
        ),
        ("garbage", garbage, "it is not JSON: "),
        (
            "nested",
            vec![b'['; 1_000_000],
            "it is not JSON: recursion limit exceeded",
        ),
        (
            "nested object",
            b"{\"a\":".repeat(100_000),
            "it is not JSON: EOF while parsing a value",
        ),
        (
            "half",
            text.as_bytes()[..text.len() / 2].to_vec(),
            "it is not JSON: EOF while parsing",
        ),
        ("list", b"[1]".to_vec(), "it is no object with an outcome"),
        (
            "other",
            b"{\"words\": []}".to_vec(),
            "it has no `schema`, so it is no outcome of Selvedge",
        ),
        (
            "schema",
            changed(&|json| json["schema"] = 2.into()),
            "schema: 2 is not known, 1 is",
        ),
        (
            "member",
            changed(&|json| {
                drop(
                    json["findings"][0]
                        .as_object_mut()
                        .map(|all| all.remove("title")),
                )
            }),
            "findings[0]: missing field `title`",
        ),
        (
            "thread",
            changed(&|json| json["findings"][0]["trace"]["steps"][1]["thread"] = 9.into()),
            "findings[0].trace.steps[1].thread: there is no thread 9: the execution has 3, from 0",
        ),
        (
            "no thread",
            changed(&|json| json["findings"][0]["trace"]["threads"] = Value::Array(Vec::new())),
            "findings[0].trace.threads: there is no main thread",
        ),
        (
            "negative",
            changed(&|json| json["findings"][0]["trace"]["steps"][1]["thread"] = (-1).into()),
            "findings[0].trace.steps[1]",
        ),
        (
            "action",
            changed(&|json| json["findings"][0]["trace"]["steps"][1]["action"] = "jump".into()),
            "findings[0].trace.steps[1]",
        ),
        (
            "no end",
            changed(&|json| {
                drop(
                    json["findings"][0]["trace"]["steps"]
                        .as_array_mut()
                        .map(Vec::pop),
                )
            }),
            "the last step is no violation",
        ),
        (
            "property",
            changed(&|json| {
                let steps = json["findings"][0]["trace"]["steps"].as_array_mut();
                let last = steps.and_then(|steps| steps.last_mut()).expect("a step");
                last["property"] = "data race".into();
            }),
            "property: `data race` violates nothing that `assert` checks",
        ),
        (
            "place",
            changed(&|json| {
                json["findings"][0]["trace"]["steps"][0]["place"]["offset"] =
                    4_294_967_295u32.into()
            }),
            "findings[0].trace.steps[0].place.offset: 4294967295 stands for no place",
        ),
        (
            "two places",
            changed(&|json| {
                let other = json["findings"][0]["place"]["offset"].clone();
                json["findings"][0]["trace"]["steps"][0]["place"]["offset"] = other;
            }),
            " is the offset of lost.c:",
        ),
        (
            "verdict",
            changed(&|json| json["verdict"] = "successful".into()),
            "findings: they are 1, and the verdict is `successful`",
        ),
        (
            "line",
            changed(&|json| json["line"] = "VERIFICATION SUCCESSFUL (complete)".into()),
            "summary: its last line is not that of `line`",
        ),
        (
            "accesses",
            changed(&|json| json["findings"][0]["accesses"] = "none".into()),
            "findings[0].accesses",
        ),
    ] {
        std::fs::write(folder.path("bad.json"), bytes).expect("a writable folder");
        let run = folder.run(&["trace", "bad.json"]);
        assert_eq!(
            (run.code, run.out.as_str()),
            (Some(2), ""),
            "{name}: {}",
            run.err
        );
        let is_told = run.err.starts_with("selvedge: bad.json: ") && run.err.contains(message);
        assert!(is_told, "{name}: {}", run.err);
    }
    folder
        .run(&["trace", "none.json"])
        .refused(2, "none.json: no such file");
    folder.run(&["trace", "."]).refused(2, ".: is a folder");
    folder.run(&["trace"]).refused(1, "Usage");
    folder
        .run(&["trace", "o.json", "--unwind", "2"])
        .refused(1, "--unwind");
}

/// Every part of a file may be missing or wrong, and what is printed then is a message.
#[test]
fn no_change_of_a_file_ends_in_a_panic() {
    let folder = Folder::new(&[("job.c", include_str!("../../benchmarks/three_bugs.c"))]);
    let good = json_of(&folder, &["--check", "memory,race", "job.c"]);
    let mut paths = Vec::new();
    pointers(&good["findings"], "/findings".to_string(), &mut paths);
    let others = [Value::Null, 7.into(), "x".into(), Value::Array(Vec::new())];
    let mut told = 0;
    for (turn, path) in paths.iter().enumerate().step_by(paths.len().div_ceil(150)) {
        let mut json = good.clone();
        *json.pointer_mut(path).expect("a part") = others[turn % others.len()].clone();
        std::fs::write(folder.path("bad.json"), json.to_string()).expect("a writable folder");
        let run = folder.run(&["trace", "bad.json"]);
        assert!(
            matches!(run.code, Some(2 | 10)),
            "{path}: {:?} {}",
            run.code,
            run.err
        );
        assert_eq!(
            run.code == Some(2),
            !run.err.is_empty(),
            "{path}: {}",
            run.err
        );
        told += usize::from(run.code == Some(2));
    }
    assert!(told > 50, "{told} of {}", paths.len());
}

/// Pointers to all parts of a value.
fn pointers(value: &Value, path: String, found: &mut Vec<String>) {
    match value {
        Value::Array(all) => {
            for (index, one) in all.iter().enumerate() {
                pointers(one, format!("{path}/{index}"), found);
            }
        }
        Value::Object(all) => {
            for (name, one) in all {
                pointers(one, format!("{path}/{name}"), found);
            }
        }
        _ => {}
    }
    found.push(path);
}
