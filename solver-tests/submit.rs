//! `selvedge sweep --submit`: jobs go to engines, which `submit/` has in small, and the table is that of a sweep on this machine.

use crate::beside::path;
use crate::command::{Folder, LOST, Run};
use crate::signals::{interrupted, send};
use crate::tier;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

/// A sweep of six cells, without what depends on times.
const SWEEP: [&str; 9] = [
    "sweep",
    "lost.c",
    "--scheme",
    "order,lazy",
    "--rounds",
    "1..2",
    "--unwind",
    "1..2",
    "--no-prune",
];

/// A folder with a program, and with engines on the path of what runs in it.
struct Site {
    folder: Folder,
}

impl Site {
    fn new() -> Site {
        let folder = Folder::new(&[("lost.c", LOST)]);
        std::fs::create_dir(folder.path("engines")).expect("a folder");
        for entry in std::fs::read_dir(path("submit")).expect("engines") {
            let entry = entry.expect("a readable folder");
            let to = folder.path("engines").join(entry.file_name());
            std::fs::copy(entry.path(), to).expect("a copy");
        }
        Site { folder }
    }

    /// A sweep with further options.
    fn command(&self, more: &[&str]) -> Command {
        let engines = self.folder.path("engines");
        let path = std::env::var_os("PATH").unwrap_or_default();
        let path = std::iter::once(engines).chain(std::env::split_paths(&path));
        let mut command = self.folder.command(&[&SWEEP[..], more].concat());
        command
            .env("PATH", std::env::join_paths(path).expect("a path"))
            .env("FAKE", self.folder.path("."))
            .env("PYTHON", "python");
        command
    }

    fn run(&self, more: &[&str]) -> Run {
        Run::from(self.command(more).output().expect("it runs"))
    }

    fn write(&self, name: &str, text: &str) {
        std::fs::write(self.folder.path(name), text).expect("a file");
    }

    /// Calls of an engine that was asked to do something.
    fn calls(&self, start: &str) -> Vec<String> {
        let text = std::fs::read_to_string(self.folder.path("calls")).unwrap_or_default();
        let lines = text.lines().filter(|line| line.starts_with(start));
        lines.map(str::to_string).collect()
    }

    /// The table of the sweep on this machine.
    fn expected(&self) -> String {
        let run = self.run(&["--quiet", "--journal", "here.jsonl"]);
        assert_eq!(run.code, Some(10), "{}", run.err);
        without_times(&run.out)
    }
}

/// A table without its times, and without spaces that depend on them.
fn without_times(table: &str) -> String {
    let word = |word: &&str| !word.contains('.') || word.parse::<f64>().is_err();
    let line = |line: &str| {
        let words: Vec<&str> = line.split_whitespace().filter(word).collect();
        words.join(" ") + "\n"
    };
    table.lines().map(line).collect()
}

#[test]
fn the_table_is_that_of_this_machine() {
    for (engine, calls) in [
        ("slurm", "sbatch"),
        ("parallel", "parallel --joblog"),
        ("parallel:4/one,:", "parallel --sshlogin 4/one,: --workdir"),
        ("dask:head:8786", "python submit/1.py head:8786"),
    ] {
        let site = Site::new();
        let expected = site.expected();
        // One job is lost, and submitted again.
        site.write("lose", "1\n");
        let run = site.run(&["--plan", "plan", "--submit", engine]);
        assert_eq!(run.code, Some(10), "{engine}: {}", run.err);
        assert_eq!(without_times(&run.out), expected, "{engine}: {}", run.err);
        assert!(run.err.contains("1 job submitted to "), "{}", run.err);
        assert_eq!(
            site.calls(calls).len(),
            1 + usize::from(!engine.starts_with("dask"))
        );
        // What is done is done.
        let count = site.calls("").len();
        let again = site.run(&["--plan", "plan", "--submit", engine]);
        // The line below the table says where answers come from.
        let cells = |table: &str| table.rsplit_once("6 cells: ").map(|all| all.0.to_string());
        let table = without_times(&again.out);
        assert_eq!(cells(&table), cells(&expected), "{}", again.err);
        assert_eq!(site.calls("").len(), count, "nothing is submitted");
        // Nobody has to name a plan.
        let unnamed = site.run(&["--submit", engine]);
        assert_eq!(without_times(&unnamed.out), expected, "{}", unnamed.err);
        assert!(site.folder.path("sweep.plan/plan.json").exists());
    }
}

#[test]
fn arrays_are_as_small_as_the_cluster_wants_them() {
    let site = Site::new();
    let expected = site.expected();
    let mut command = site.command(&["--plan", "plan", "--submit", "slurm", "--jobs", "2"]);
    command.env("FAKE_MOST", "2");
    let run = Run::from(command.output().expect("it runs"));
    assert_eq!(without_times(&run.out), expected, "{}", run.err);
    let calls = site.calls("sbatch");
    assert!(calls.len() > 1, "{calls:?}");
    for call in &calls {
        let is_small = call.contains("--array=0-1%2 ") || call.contains("--array=0-0%2 ");
        assert!(is_small, "{call}");
    }
}

#[test]
fn a_signal_takes_the_jobs_back() {
    for (engine, taken_back) in [("slurm", "cancelled-71"), ("parallel", "terminated")] {
        let site = Site::new();
        site.write("hold", "");
        let command = site.command(&["--plan", "plan", "--submit", engine]);
        let (run, took) = interrupted(command, "submitted to", |child| {
            send(child, false, libc::SIGINT);
        });
        assert_eq!(run.code, Some(130), "{}", run.err);
        assert!(took < Duration::from_secs(20), "{took:?}");
        assert!(site.folder.path(taken_back).exists(), "{engine}");
        assert!(run.err.contains("--collect plan"), "{}", run.err);
        // The same command finishes it.
        std::fs::remove_file(site.folder.path("hold")).expect("it was there");
        let expected = site.expected();
        let again = site.run(&["--plan", "plan", "--submit", engine]);
        assert_eq!(without_times(&again.out), expected, "{}", again.err);
    }
}

#[test]
fn what_never_runs_is_named() {
    let site = Site::new();
    // Lost each time.
    site.write("engines/job", "#!/bin/sh\nexit 1\n");
    let run = site.run(&["--plan", "plan", "--submit", "parallel"]);
    assert_eq!(run.code, Some(2), "{}{}", run.out, run.err);
    assert_eq!(site.calls("parallel").len(), 2, "{}", run.err);
    assert!(run.err.contains("job 0 has left no shard"), "{}", run.err);
    assert!(run.err.contains("have not finished: 0"), "{}", run.err);
}

#[test]
fn an_engine_that_is_not_there_is_an_error() {
    let site = Site::new();
    let empty = site.folder.path("empty");
    std::fs::create_dir(&empty).expect("a folder");
    for (engine, expected) in [
        ("slurm", "cannot run scontrol"),
        ("parallel", "cannot run parallel"),
        ("dask:head:8786", "cannot run python"),
        ("dask:none:1", "No module named 'distributed'"),
        ("dask:away:1", "Timed out trying to connect"),
    ] {
        let mut command = site.command(&["--plan", "plan", "--submit", engine]);
        if expected.starts_with("cannot") {
            command.env("PATH", &empty);
        }
        let run = Run::from(command.output().expect("it runs"));
        assert_eq!((run.code, run.out.as_str()), (Some(2), ""), "{}", run.err);
        assert!(run.err.contains(expected), "{engine}: {}", run.err);
    }
    let run = site.run(&["--submit", "pbs"]);
    assert_eq!(run.code, Some(1));
    assert!(run.err.contains("dask:HOST:PORT"), "{}", run.err);
}

/// The bridge is a program that Python reads, as far as that can be said without a cluster.
#[test]
fn the_bridge_is_python() {
    let bridge = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/sweep/submit/bridge.py");
    let read = "import ast, sys; ast.parse(open(sys.argv[1]).read())";
    match Command::new("python3")
        .args(["-c", read])
        .arg(&bridge)
        .output()
    {
        Ok(output) => {
            let errors = String::from_utf8_lossy(&output.stderr).into_owned();
            assert!(output.status.success(), "{errors}");
        }
        Err(_) => tier::skipped("the bridge to Dask", "python3 is not installed"),
    }
}
