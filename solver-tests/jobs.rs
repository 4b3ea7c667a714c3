//! Sweeps that are planned, run job by job and collected, and what is made of journals.

use crate::command::{Folder, LOST};
use crate::sweep::{LOOP, answers, records};
use serde_json::Value;

#[test]
fn a_plan_is_run_job_by_job_and_collected() {
    let header = "#include <assert.h>\n#define SUM 2\n";
    let program = LOST
        .replace("#include <assert.h>", "#include \"own.h\"")
        .replace("== 2", "== SUM");
    let files = [
        ("lost.c", &program[..]),
        ("loop.c", LOOP),
        ("own.h", header),
    ];
    let folder = Folder::new(&files);
    let asked = "lost.c loop.c --scheme order,lazy --rounds 1..2 --unwind 1..2 -DUNUSED -I .";
    let sweep: Vec<&str> = ["sweep"].into_iter().chain(asked.split(' ')).collect();
    let direct = folder.run(&[&sweep[..], &["-q", "--journal", "direct.jsonl"]].concat());
    assert_eq!(direct.code, Some(10), "{}", direct.err);
    let run = folder.run(&[&sweep[..], &["--plan", "plan"]].concat());
    assert_eq!(run.code, Some(0), "{}", run.err);
    assert!(
        run.out.contains("plan has 8 jobs for 12 cells"),
        "{}",
        run.out
    );
    assert_eq!(
        folder.run(&[&sweep[..], &["--plan", "plan"]].concat()).out,
        run.out
    );
    folder
        .run(&["sweep", "lost.c", "--plan", "plan"])
        .refused(2, "plan holds another plan");
    folder
        .run(&["sweep", "lost.c", "--plan", "."])
        .refused(2, "other files than those of a plan");
    // Nothing of the programs is needed any more, and the folder may be elsewhere.
    for (name, _) in files {
        std::fs::remove_file(folder.path(name)).unwrap();
    }
    std::fs::rename(folder.path("plan"), folder.path("moved")).unwrap();
    let job = |number: &str| folder.run(&["job", "moved", number]);
    job("8").refused(2, "has the jobs 0 to 7, and no job 8");
    job("x").refused(1, "invalid value");
    folder
        .run(&["job", "elsewhere", "0"])
        .refused(2, "is no plan");
    let numbers: Vec<String> = (0..8).map(|number| number.to_string()).collect();
    // The largest first, some twice, and two at once.
    for number in numbers[2..].iter().rev() {
        assert_eq!(job(number).code, Some(0));
    }
    let shard = |number: usize| folder.path(&format!("moved/shards/{number}.jsonl"));
    let before = std::fs::read(shard(7)).unwrap();
    assert_eq!(job("7").code, Some(0));
    assert_eq!(
        std::fs::read(shard(7)).unwrap(),
        before,
        "what is there is not run again"
    );
    let run = folder.run(&["sweep", "--collect", "moved"]);
    assert_eq!(run.code, Some(2), "{}{}", run.out, run.err);
    assert!(
        run.err.contains("2 jobs of moved have not finished: 0, 1"),
        "{}",
        run.err
    );
    assert!(run.out.contains("2 not run"), "{}", run.out);
    // Half a shard is none.
    std::fs::write(shard(7), &before[..before.len() / 2]).unwrap();
    let run = folder.run(&["sweep", "--collect", "moved", "--journal", "half.jsonl"]);
    assert!(
        run.err.contains("have not finished: 0, 1, 7"),
        "{}",
        run.err
    );
    let both: Vec<_> = (0..2)
        .map(|_| folder.command(&["job", "moved", "7"]).spawn().unwrap())
        .collect();
    for mut child in both {
        assert_eq!(child.wait().unwrap().code(), Some(0));
    }
    for number in &numbers[..2] {
        assert_eq!(job(number).code, Some(0));
    }
    for _ in 0..2 {
        let run = folder.run(&["sweep", "--collect", "moved"]);
        assert_eq!(run.code, Some(10), "{}{}", run.out, run.err);
        assert_eq!(answers(&run.out), answers(&direct.out));
    }
    let collected = records(&folder, "moved/sweep.jsonl");
    assert_eq!(collected.len(), 12, "each cell once");
    // The records are those of a sweep without a plan.
    for one in &collected {
        let same = |other: &&Value| {
            [
                "file", "content", "options", "limits", "scheme", "rounds", "unwind", "verdict",
            ]
            .iter()
            .all(|name| other[name] == one[name])
        };
        assert!(
            records(&folder, "direct.jsonl")
                .iter()
                .any(|other| same(&other)),
            "{one}"
        );
    }
    folder
        .run(&["sweep", "lost.c", "--collect", "moved"])
        .refused(1, "--collect takes programs from the plan");
}

/// Cells that are split: jobs are their cubes, and their answers those of whole cells.
#[test]
fn cubes_of_cells_are_jobs_and_one_answer() {
    let folder = Folder::new(&[("lost.c", LOST), ("loop.c", LOOP)]);
    let asked = "sweep lost.c loop.c --scheme order,lazy,mu --rounds 2 --writes 2 --unwind 1..2";
    let sweep: Vec<&str> = asked.split(' ').collect();
    let direct = folder.run(&[&sweep[..], &["-q", "--journal", "direct.jsonl"]].concat());
    assert_eq!(direct.code, Some(10), "{}", direct.err);
    let cubes = [&sweep[..], &["--cubes", "3"]].concat();
    let here = folder.run(&[&cubes[..], &["-q", "--journal", "here.jsonl"]].concat());
    assert_eq!(here.code, Some(10), "{}", here.err);
    assert_eq!(answers(&here.out), answers(&direct.out));
    let run = folder.run(&[&cubes[..], &["--plan", "plan"]].concat());
    assert!(
        run.out.contains("plan has 28 jobs for 12 cells"),
        "{}",
        run.out
    );
    let job = |number: usize| folder.run(&["job", "plan", &number.to_string()]);
    for number in (1..28).rev() {
        let run = job(number);
        assert_eq!(run.code, Some(0), "{}", run.err);
    }
    let whole = |journal: &str| -> Vec<Value> {
        let all = records(&folder, journal);
        assert!(all.iter().all(|one| one["cube"].is_null()), "{all:?}");
        all
    };
    // The first job is a cube of a cell, which has no answer without it unless another cube has a violation.
    let run = folder.run(&["sweep", "--collect", "plan"]);
    assert_eq!(run.code, Some(2), "{}{}", run.out, run.err);
    let missing = "1 jobs of plan have not finished: 0";
    assert!(run.err.contains(missing), "{}", run.err);
    assert_eq!(job(0).code, Some(0));
    let run = folder.run(&["sweep", "--collect", "plan"]);
    assert_eq!(run.code, Some(10), "{}{}", run.out, run.err);
    assert_eq!(answers(&run.out), answers(&direct.out));
    let collected = whole("plan/sweep.jsonl");
    assert_eq!(collected.len(), 12, "each cell once");
    for one in collected.iter().chain(&whole("here.jsonl")) {
        let same = |other: &&Value| {
            let mut names = [
                "file", "scheme", "unwind", "verdict", "complete", "asserted",
            ]
            .iter();
            names.all(|name| other[name] == one[name])
        };
        let direct = records(&folder, "direct.jsonl");
        assert!(direct.iter().any(|other| same(&other)), "{one}");
    }
    // A cube of another formula makes no whole with the others.
    let number = (0..28).find(|number| {
        let text = std::fs::read_to_string(folder.path(&format!("plan/shards/{number}.jsonl")));
        let text = text.unwrap();
        text.contains("\"successful\"") && text.contains("\"formula\":\"")
    });
    let path = folder.path(&format!("plan/shards/{}.jsonl", number.unwrap()));
    let text = std::fs::read_to_string(&path).unwrap();
    let text = text.replacen("\"formula\":\"", "\"formula\":\"0", 1);
    std::fs::write(&path, text).unwrap();
    let run = folder.run(&["sweep", "--collect", "plan", "--journal", "foreign.jsonl"]);
    assert_eq!(run.code, Some(6), "{}{}", run.out, run.err);
    folder
        .run(&["sweep", "lost.c", "--cubes", "0"])
        .refused(1, "--cubes");
}

#[test]
fn a_planned_property_goes_with_the_plan() {
    let program = "#include <stdlib.h>\nint main(void) { int *p = malloc(4); free(p); free(p); }\n";
    let task = "input_files: a.c\nproperties:\n  - property_file: part.prp\n";
    let property = "CHECK( init(main()), LTL(G valid-free) )\n";
    let folder = Folder::new(&[("a.c", program), ("a.yml", task), ("part.prp", property)]);
    let words = "sweep a.yml --unwind 1 --scheme order --plan p --timeout 60 --memory 2000";
    let run = folder.run(&words.split(' ').collect::<Vec<_>>());
    assert_eq!(run.code, Some(0), "{}", run.err);
    std::fs::remove_file(folder.path("part.prp")).unwrap();
    assert_eq!(folder.run(&["job", "p", "0"]).code, Some(0));
    let run = folder.run(&["sweep", "--collect", "p"]);
    assert_eq!(run.code, Some(10), "{}{}", run.out, run.err);
    let record = &records(&folder, "p/sweep.jsonl")[0];
    assert_eq!(record["options"], "--64 --property part.prp --first");
    std::fs::write(
        folder.path("p/inputs/0.i"),
        "int main(void) { return 0; }\n",
    )
    .unwrap();
    std::fs::remove_file(folder.path("p/shards/0.jsonl")).unwrap();
    folder
        .run(&["job", "p", "0"])
        .refused(2, "has been changed");
}

#[test]
fn journals_become_a_table_a_page_and_values() {
    let folder = Folder::new(&[("lost.c", LOST), ("loop.c", LOOP)]);
    let words =
        "sweep lost.c loop.c --scheme order,lazy,mu --rounds 1..2 --writes 1..3 --unwind 1..3 -q";
    let run = folder.run(&words.split(' ').collect::<Vec<_>>());
    assert_eq!(run.code, Some(10), "{}{}", run.out, run.err);
    let words = "report sweep.jsonl --html r.html --csv r.csv";
    let report = folder.run(&words.split(' ').collect::<Vec<_>>());
    assert_eq!(report.code, Some(0), "{}{}", report.out, report.err);
    assert!(
        report.out.ends_with("36 cells: 36 from the journal\n"),
        "{}",
        report.out
    );
    let sorted = |out: &str| {
        let mut lines = answers(out);
        lines
            .iter_mut()
            .for_each(|line| *line = line.replace("lost.c ", "").replace("loop.c ", ""));
        lines.sort();
        lines
    };
    assert_eq!(sorted(&report.out), sorted(&run.out));
    let csv = std::fs::read_to_string(folder.path("r.csv")).unwrap();
    let heading = csv.lines().next().unwrap();
    assert!(
        heading.starts_with("file,scheme,rounds,writes,unwind,verdict,complete"),
        "{heading}"
    );
    assert_eq!(csv.lines().count(), 37);
    let page = std::fs::read_to_string(folder.path("r.html")).unwrap();
    for part in [
        "<svg",
        "lazy, rounds 2",
        "writes",
        "class=\"failed\"",
        "(failed)",
        "Cells answered",
    ] {
        assert!(page.contains(part), "{part}");
    }
    assert!(
        !page.contains("<script") && !page.contains("http:"),
        "it loads nothing"
    );
    let run = folder.run(&["report", "sweep.jsonl", "--columns", "writes"]);
    assert!(run.out.contains("writes 3"), "{}", run.out);
    for (words, code, told) in [
        ("none.jsonl", 2, "cannot read the journal none.jsonl"),
        ("lost.c", 2, "is no journal"),
        (
            "sweep.jsonl --columns steps",
            1,
            "no record has a value of steps",
        ),
        ("sweep.jsonl --html sweep.jsonl", 1, "it is read"),
        ("sweep.jsonl --csv no/folder.csv", 1, "there is no folder"),
        ("", 1, "JOURNAL"),
    ] {
        let words = ["report"].into_iter().chain(words.split_whitespace());
        folder.run(&words.collect::<Vec<_>>()).refused(code, told);
    }
}
