//! The text of the models, in parts: a program gets the parts that define what it calls, and what these call.

use super::faults::{self, Fault};
use crate::base;
use crate::base::sorted::SortedSet;
use std::sync::LazyLock;

/// Declarations that all parts are written with.
const BASE: &str = include_str!("models/base.c");

/// Models of functions on numbers, whose patterns say nothing in another format.
const FLOAT: &str = include_str!("models/float.c");

/// Models of functions whose results C leaves open: what they return is any value that it may be. Programs have them only where they
/// are read so ([`super::Options::open`]).
const OPEN: &str = include_str!("models/open.c");
/// The same, of those that access memory.
const OPEN_MEMORY: &str = include_str!("models/open-memory.c");

/// Open result: true of functions whose results C leaves open.
pub(super) fn is_open(name: &str) -> bool {
    static OPEN_NAMES: LazyLock<SortedSet<&str>> = LazyLock::new(|| {
        [OPEN, OPEN_MEMORY]
            .map(definitions)
            .into_iter()
            .flatten()
            .collect()
    });
    OPEN_NAMES.contains(name)
}

/// Functions with a model: true if a part defines one of this name.
pub(super) fn is_model(name: &str) -> bool {
    static MODEL_NAMES: LazyLock<SortedSet<&str>> = LazyLock::new(|| {
        let parts = PARTS.iter().map(|(part, _)| definitions(part));
        parts.flatten().collect()
    });
    MODEL_NAMES.contains(name)
}

/// Exact types: true of functions whose arguments and results mean something else in another format.
pub(super) fn is_exact(name: &str) -> bool {
    [FLOAT, OPEN, OPEN_MEMORY]
        .iter()
        .any(|part| part.contains(&format!(" {name}(")))
}

/// The others, each after those that it calls, and whether its functions are operations of synchronisation objects.
const PARTS: [(&str, bool); 25] = [
    (FLOAT, false),
    (OPEN, true),
    (OPEN_MEMORY, false),
    (include_str!("models/heap.c"), false),
    (include_str!("models/number.c"), false),
    (include_str!("models/string.c"), false),
    (include_str!("models/format.c"), false),
    (include_str!("models/input.c"), false),
    (include_str!("models/checked.c"), false),
    (include_str!("models/join.c"), true),
    (include_str!("models/handle.c"), true),
    (include_str!("models/attribute.c"), false),
    (include_str!("models/mutex.c"), true),
    (include_str!("models/rwlock.c"), true),
    (include_str!("models/condition.c"), true),
    (include_str!("models/barrier.c"), true),
    (include_str!("models/semaphore.c"), true),
    (include_str!("models/futex.c"), true),
    (include_str!("models/key.c"), true),
    (include_str!("models/cleanup.c"), true),
    (include_str!("models/cancel.c"), true),
    (include_str!("models/once.c"), true),
    (include_str!("models/signal.c"), false),
    (include_str!("models/time.c"), false),
    (include_str!("models/system.c"), false),
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
pub(super) fn needed<'a>(wanted: impl IntoIterator<Item = &'a str>) -> SortedSet<usize> {
    let defined: Vec<SortedSet<&str>> = PARTS.iter().map(|(part, _)| definitions(part)).collect();
    let mut parts = SortedSet::new();
    let mut pending: Vec<&str> = wanted.into_iter().collect();
    while let Some(name) = pending.pop() {
        if let Some(part) = defined.iter().position(|names| names.contains(name))
            && parts.insert(part)
        {
            pending.extend(called(PARTS[part].0));
        } else if name.starts_with("__selvedge_mem") && name.ends_with(['2', '4', '8']) {
            parts.insert(PARTS.len());
        }
    }
    parts
}

/// Texts that are only there where somebody asks for what they are for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Debug)]
pub(super) struct Variant {
    /// Deadlocks are asked for: `DEADLOCKS(text)`, and elsewhere `NO_DEADLOCKS(text)`.
    pub deadlocks: bool,
    /// Read-write locks may prefer writers: `WRITERS_FIRST(text)`.
    pub writers_first: bool,
}

impl Variant {
    /// Definitions of the macros that such texts are in.
    fn macros(self) -> String {
        let macros = [
            ("DEADLOCKS", self.deadlocks),
            ("NO_DEADLOCKS", !self.deadlocks),
            ("WRITERS_FIRST", self.writers_first),
        ];
        let text = |is_there| if is_there { " __VA_ARGS__" } else { "" };
        let lines =
            macros.map(|(name, is_there)| format!("#define {name}(...){}\n", text(is_there)));
        lines.concat()
    }
}

/// The text of these parts, for the preprocessor.
pub(super) fn text(parts: &SortedSet<usize>, variant: Variant) -> String {
    let mut text = seeded() + &variant.macros() + BASE;
    for part in parts {
        match PARTS.get(*part) {
            Some((part, _)) => text.push_str(part),
            None => WORDS.iter().for_each(|(size, word)| {
                text += &format!("#define WORD {word}\n#define WORD_SIZE {size}\n");
                text += WORD;
                text += "#undef WORD\n#undef WORD_SIZE\n";
            }),
        }
    }
    text
}

/// Functions of these parts that are operations of synchronisation objects: what they access never races.
pub(super) fn synchronising(parts: &SortedSet<usize>) -> SortedSet<&'static str> {
    let chosen = parts.iter().filter_map(|part| PARTS.get(*part));
    let synchronise = chosen.filter(|(_, synchronises)| *synchronises);
    synchronise
        .flat_map(|(part, _)| definitions(part))
        .collect()
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
pub(super) fn all() -> SortedSet<usize> {
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
fn definitions(part: &str) -> SortedSet<&str> {
    let lines = part.lines().filter(|line| {
        line.starts_with(|c: char| c.is_ascii_alphabetic()) && !line.starts_with("extern ")
    });
    lines
        .filter_map(|line| before_parentheses(line).map(|(_, name)| name).next())
        .collect()
}

/// Functions that a part calls: all names before a parenthesis, those of its own definitions included.
fn called(part: &str) -> SortedSet<&str> {
    before_parentheses(part).map(|(_, name)| name).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_brings_what_it_needs() {
        assert_eq!(needed(["f", "malloc"]), SortedSet::new());
        let defines = |parts: &SortedSet<usize>, name: &str| {
            parts.iter().any(|part| {
                PARTS
                    .get(*part)
                    .is_some_and(|(part, _)| definitions(part).contains(name))
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
        let named: SortedSet<&str> = PARTS
            .iter()
            .flat_map(|(part, _)| part.split("FAULT(").skip(1))
            .filter_map(|behind| behind.split(',').next())
            .collect();
        // Those of the check of misuse are in the code that calls models.
        let of_models = Fault::ALL.iter().filter(|fault| fault.kind() != "MISUSE");
        let faults: SortedSet<String> = of_models.map(macro_name).collect();
        assert_eq!(named, faults.iter().map(String::as_str).collect());
    }
}
