//! Arrays that grow, and operations on large blocks: a program for each case in `blocks/`, under `order` and another
//! scheme in turn, or in a long run under every scheme, with bounds of its own. The first line is the verdict; `not mu` means that this scheme needs more than a few seconds.

use crate::beside;
use crate::command::{Answer, Folder, Found};
use crate::tier::in_turn;
use rayon::prelude::*;

/// The schemes besides `order`.
const OTHERS: [&str; 4] = ["timestamp", "step", "lazy", "mu"];

fn programs() -> Vec<(String, String)> {
    beside::programs("blocks")
}

/// Answer of a run, in the words of the first lines.
fn said(found: &Found) -> &str {
    match found.answer {
        Answer::Violated => "unsafe",
        Answer::Complete => "safe",
        Answer::Bounded if found.undefined.is_empty() => "bounded",
        Answer::Bounded => "undefined",
        Answer::Unknown if found.stopped => "stopped",
        Answer::Unknown => "unsupported",
    }
}

#[test]
fn growing_arrays_and_large_blocks() {
    let cases: Vec<(String, String, &str)> = programs()
        .into_iter()
        .enumerate()
        .flat_map(|(turn, (name, text))| {
            let schemes = [vec!["order"], in_turn(turn, &OTHERS)].concat();
            let case = move |scheme| (name.clone(), text.clone(), scheme);
            schemes.into_iter().map(case)
        })
        .collect();
    let wrong: Vec<String> = cases
        .par_iter()
        .filter_map(|(name, text, scheme)| {
            let first = text.lines().next()?.strip_prefix("// ")?;
            let (expected, rest) = first.split_once(", ").unwrap_or((first, ""));
            if rest == "not mu" && *scheme == "mu" {
                return None;
            }
            let folder = Folder::new(&[("a.c", text)]);
            let found =
                folder.verify(&["a.c", "--scheme", scheme, "--no-trace", "--timeout", "60"]);
            (said(&found) != expected).then(|| format!("{name}, {scheme}: {}", found.run.verdict()))
        })
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Memory that nobody looks at costs nothing: 32 MB are filled within a few seconds of an unoptimised build on a busy
/// machine.
#[test]
fn what_is_not_looked_at_costs_nothing() {
    let text = programs()
        .into_iter()
        .find(|(name, _)| name == "set-16m.c")
        .expect("it is there")
        .1;
    Folder::new(&[("a.c", &text)])
        .verify(&["a.c", "--timeout", "3"])
        .is(Answer::Complete);
}
