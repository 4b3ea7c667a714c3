//! Size of a run. The usual one is short: `SELVEDGE_TIER=2`, which `.ci/run` sets, asks for three times as many programs. `SELVEDGE_PROGRAMS=10000` asks
//! for a long one, with as many random programs in every test that has some, and with every scheme and variant where the usual run takes them in turn.

use std::collections::BTreeSet;
use std::io::Write;
use std::path::PathBuf;
use std::sync::Mutex;

fn chosen() -> Option<u64> {
    let text = std::env::var("SELVEDGE_PROGRAMS").ok()?;
    Some(text.parse().expect("SELVEDGE_PROGRAMS is a number"))
}

/// Share of programs that tests have in tier 1, whose time is limited: one of so many.
fn share() -> usize {
    match is_long() || std::env::var_os("SELVEDGE_TIER").is_some() {
        true => 1,
        false => 3,
    }
}

/// Number of random programs of a test that has so many in tier 2.
pub fn programs(usual: u64) -> u64 {
    chosen().unwrap_or(usual / share() as u64)
}

/// Number of random programs of a test that has as many in every tier, as it expects something of their number.
pub fn all_programs(usual: u64) -> u64 {
    chosen().unwrap_or(usual)
}

/// Programs of a test that has these in tier 2.
pub fn part<T>(all: impl IntoIterator<Item = T>) -> Vec<T> {
    all.into_iter().step_by(share()).collect()
}

/// Seeds of random programs of a test that has so many in tier 2: in tier 1, every third of them.
pub fn seeds(usual: u64) -> Vec<u64> {
    let first = start();
    part(first..first + all_programs(usual))
}

/// The first seed of tests that a long run may split: `SELVEDGE_START`, or 0.
pub fn start() -> u64 {
    let text = std::env::var("SELVEDGE_START").ok();
    text.map_or(0, |text| text.parse().expect("SELVEDGE_START is a number"))
}

/// True if nothing is to be taken in turn.
pub fn is_long() -> bool {
    chosen().is_some()
}

/// Of several, the one whose turn it is; in a long run all.
pub fn in_turn<T: Clone>(turn: usize, all: &[T]) -> Vec<T> {
    if is_long() || all.is_empty() {
        all.to_vec()
    } else {
        vec![all[turn % all.len()].clone()]
    }
}

/// Says on standard error what a test leaves out, once, also where the test passes.
pub fn skipped(what: &str, why: &str) {
    static SAID: Mutex<BTreeSet<String>> = Mutex::new(BTreeSet::new());
    let line = format!("skipped: {what}: {why}");
    let is_new = SAID.lock().is_ok_and(|mut said| said.insert(line.clone()));
    if is_new {
        // The harness keeps what `eprintln` prints of tests that pass.
        let _ = writeln!(std::io::stderr(), "{line}");
    }
}

/// The folder of verification tasks: `$SELVEDGE_CORPUS`, or `../shared/corpus` beside the clone.
pub fn corpus(test: &str) -> Option<PathBuf> {
    let beside = concat!(env!("CARGO_MANIFEST_DIR"), "/../shared/corpus");
    let given = std::env::var_os("SELVEDGE_CORPUS").map(PathBuf::from);
    let folder = given.unwrap_or_else(|| PathBuf::from(beside));
    if folder.is_dir() {
        return Some(folder);
    }
    skipped(
        test,
        "no folder of verification tasks in $SELVEDGE_CORPUS, nor in ../shared/corpus",
    );
    None
}
