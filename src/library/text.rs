//! The text of the models, in parts: a program gets the parts that define what it calls, and what these call.

use super::faults::{self, Fault};
use crate::base;
use std::collections::BTreeSet;

/// Declarations that all parts are written with.
const BASE: &str = include_str!("models/base.c");

/// Models of functions on numbers, whose patterns say nothing in another format.
pub(super) const FLOAT: &str = include_str!("models/float.c");

/// The others, each after those that it calls.
const PARTS: [&str; 19] = [
    FLOAT,
    include_str!("models/heap.c"),
    include_str!("models/number.c"),
    include_str!("models/string.c"),
    include_str!("models/format.c"),
    include_str!("models/input.c"),
    include_str!("models/checked.c"),
    include_str!("models/join.c"),
    include_str!("models/handle.c"),
    include_str!("models/attribute.c"),
    include_str!("models/mutex.c"),
    include_str!("models/rwlock.c"),
    include_str!("models/condition.c"),
    include_str!("models/barrier.c"),
    include_str!("models/semaphore.c"),
    include_str!("models/key.c"),
    include_str!("models/cleanup.c"),
    include_str!("models/cancel.c"),
    include_str!("models/once_and_time.c"),
];

/// Block operations on words, for each of [`WORDS`].
const WORD: &str = include_str!("models/word.c");

/// Sizes in bytes of the words, and their types.
pub(super) const WORDS: [(&str, &str); 3] = [
    ("2", "unsigned short"),
    ("4", "unsigned int"),
    ("8", "unsigned long long"),
];

/// Numbers of the parts that define one of these functions, and of those that they need; the words are the last.
pub(super) fn needed<'a>(wanted: impl IntoIterator<Item = &'a str>) -> BTreeSet<usize> {
    let defined: Vec<BTreeSet<&str>> = PARTS.iter().map(|part| definitions(part)).collect();
    let mut parts = BTreeSet::new();
    let mut pending: Vec<&str> = wanted.into_iter().collect();
    while let Some(name) = pending.pop() {
        if let Some(part) = defined.iter().position(|names| names.contains(name))
            && parts.insert(part)
        {
            pending.extend(called(PARTS[part]));
        } else if name.starts_with("__selvedge_mem") && name.ends_with(['2', '4', '8']) {
            parts.insert(PARTS.len());
        }
    }
    parts
}

/// The text of these parts, for the preprocessor.
pub(super) fn text(parts: &BTreeSet<usize>) -> String {
    let mut text = seeded() + BASE;
    for part in parts {
        match PARTS.get(*part) {
            Some(part) => text.push_str(part),
            None => WORDS.iter().for_each(|(size, word)| {
                text += &format!("#define WORD {word}\n#define WORD_SIZE {size}\n");
                text += WORD;
                text += "#undef WORD\n#undef WORD_SIZE\n";
            }),
        }
    }
    text
}

/// Deliberate errors that tests must catch: where a model says `FAULT(NAME, wrong, right)`, it has what is wrong if the
/// fault of that name is switched on.
fn seeded() -> String {
    if !Fault::ALL.iter().any(|fault| faults::on(*fault)) {
        return "#define FAULT(name, wrong, ...) __VA_ARGS__\n".to_string();
    }
    let mut text = "#define FAULT(name, wrong, ...) FAULT_##name(wrong, __VA_ARGS__)\n".to_string();
    for fault in Fault::ALL {
        let chosen = if faults::on(*fault) {
            "wrong"
        } else {
            "__VA_ARGS__"
        };
        text += &format!("#define FAULT_{}(wrong, ...) {chosen}\n", macro_name(fault));
    }
    text
}

/// Name of a fault in models.
fn macro_name(fault: &base::faults::Fault) -> String {
    fault.name().to_uppercase().replace('-', "_")
}

/// All parts.
#[cfg(test)]
pub(super) fn all() -> BTreeSet<usize> {
    (0..=PARTS.len()).collect()
}

/// Names before a parenthesis in a text, and where they start.
fn before_parentheses(text: &str) -> impl Iterator<Item = (usize, &str)> {
    text.match_indices('(').filter_map(move |(at, _)| {
        let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let name = &text[..at];
        let start = name.rfind(|c| !is_part(c)).map_or(0, |before| before + 1);
        (start < at).then_some((start, &text[start..at]))
    })
}

/// The functions that a part defines: a definition starts its line, with what is no `extern`.
fn definitions(part: &str) -> BTreeSet<&str> {
    let lines = part.lines().filter(|line| {
        line.starts_with(|c: char| c.is_ascii_alphabetic()) && !line.starts_with("extern ")
    });
    lines
        .filter_map(|line| before_parentheses(line).map(|(_, name)| name).next())
        .collect()
}

/// Functions that a part calls: all names before a parenthesis, those of its own definitions included.
fn called(part: &str) -> BTreeSet<&str> {
    before_parentheses(part).map(|(_, name)| name).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_brings_what_it_needs() {
        assert_eq!(needed(["f", "malloc"]), BTreeSet::new());
        let defines = |parts: &BTreeSet<usize>, name: &str| {
            parts.iter().any(|part| {
                PARTS
                    .get(*part)
                    .is_some_and(|part| definitions(part).contains(name))
            })
        };
        let exit = needed(["__selvedge_testcancel"]);
        for name in ["__selvedge_leaves", "__selvedge_exit", "__selvedge_finish"] {
            assert!(defines(&exit, name), "{name}");
        }
        assert!(!defines(&exit, "strlen"));
        assert_eq!(needed(["__selvedge_memset4"]).len(), 1);
    }

    #[test]
    fn models_have_the_faults_that_are_defined() {
        let named: BTreeSet<&str> = PARTS
            .iter()
            .flat_map(|part| part.split("FAULT(").skip(1))
            .filter_map(|behind| behind.split(',').next())
            .collect();
        // Those of the check of misuse are in the code that calls models.
        let of_models = Fault::ALL.iter().filter(|fault| fault.kind() != "MISUSE");
        let faults: BTreeSet<String> = of_models.map(macro_name).collect();
        assert_eq!(named, faults.iter().map(String::as_str).collect());
    }
}
