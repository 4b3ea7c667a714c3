//! Experiments: a TOML file with the programs and the options of a whole sweep, by their long names and without dashes.
//!
//! ```toml
//! files = ["queue*.c", "list.set"]   # relative to this file, or to --folder
//! scheme = ["order", "lazy"]
//! rounds = "1..4"
//! unwind = [1, 2, 4]
//! timeout = 60
//! ```

use super::files::matching;
use super::options::{self, Line, Sweep};
use crate::cli::defaults::values;
use crate::cli::option::{Command, Given};
use crate::cli::options as common;
use crate::cli::refusal::Refusal;
use crate::source::read;
use std::path::Path;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// The key of the programs.
const FILES: &str = "files";

/// Puts an experiment in the place of its file, if one is among the files; the command line overrides its options, one by one.
///
/// # Errors
/// It cannot be read, or is wrong somewhere: the message has the line.
pub fn expanded(line: Line) -> Result<Line, Refusal> {
    let is_experiment = |path: &Path| {
        path.extension()
            .is_some_and(|extension| extension == "toml")
    };
    let mut expanded = Line {
        files: Vec::new(),
        own: line.own,
        common: line.common,
    };
    for file in &line.files {
        if !is_experiment(file) {
            expanded.files.push(file.clone());
            continue;
        }
        if line.files.len() > 1 {
            return Err(Refusal::Usage(format!(
                "{} is an experiment, which names its files itself: no other file goes with it",
                file.display()
            )));
        }
        let bytes = read::bytes(file).map_err(|error| Refusal::Input(error.to_string()))?;
        let text = String::from_utf8_lossy(&bytes);
        let told = |(line, what): (usize, String)| {
            Refusal::Diagnostic(format!("{}:{line}: error: {what}", file.display()))
        };
        let experiment = parse(&text).map_err(told)?;
        merge(&mut expanded.own, experiment.own);
        merge(&mut expanded.common, experiment.common);
        let mut options = Sweep::default();
        for one in &expanded.own {
            one.apply(&mut options).map_err(Refusal::Usage)?;
        }
        let beside = file.parent().unwrap_or(Path::new("")).to_path_buf();
        let folder = options.folder.unwrap_or(beside);
        for (at, pattern) in experiment.files {
            let found = matching(&folder, &pattern).map_err(|why| told((at, why)))?;
            if found.is_empty() {
                return Err(told((at, format!("no file is called {pattern}"))));
            }
            expanded.files.extend(found);
        }
    }
    Ok(expanded)
}

/// Adds options that are not given, and that no given one excludes.
fn merge<T: Default + 'static>(given: &mut Vec<Given<T>>, more: Vec<Given<T>>) {
    let is_open = |one: &Given<T>| {
        given.iter().all(|typed| {
            typed.option.name != one.option.name && !typed.option.excludes(&one.option)
        })
    };
    let more: Vec<Given<T>> = more.into_iter().filter(is_open).collect();
    given.extend(more);
}

/// Contents of an experiment's file.
#[derive(Default)]
struct Experiment {
    /// Patterns with their lines.
    files: Vec<(usize, String)>,
    own: Vec<Given<Sweep>>,
    common: Vec<Given<common::Options>>,
}

/// Reads a file. An error has its line.
fn parse(text: &str) -> Result<Experiment, (usize, String)> {
    let line = |at: usize| text[..at.min(text.len())].matches('\n').count() + 1;
    let table = DeTable::parse(text).map_err(|error| {
        let at = error.span().map_or(0, |span| span.start);
        (line(at), error.message().to_string())
    })?;
    let mut experiment = Experiment::default();
    for (key, value) in table.get_ref() {
        let (at, name) = (line(key.span().start), key.get_ref());
        let told = |what: String| (at, format!("{name}: {what}"));
        if name == FILES {
            let patterns = patterns(value).map_err(told)?;
            experiment
                .files
                .extend(patterns.into_iter().map(|one| (at, one)));
            continue;
        }
        let own = options::options()
            .into_iter()
            .find(|option| option.key() == name);
        let of_cells = common::of(Command::Sweep).into_iter();
        let of_cells = of_cells
            .filter(|option| option.name != common::NO_CONFIG)
            .find(|option| option.key() == name);
        match (own, of_cells) {
            (Some(option), _) => {
                if let Some(values) = values(&option, value).map_err(told)? {
                    experiment
                        .own
                        .push(Given::by_file(option, at, values).map_err(told)?);
                }
            }
            (None, Some(option)) => {
                if let Some(values) = values(&option, value).map_err(told)? {
                    experiment
                        .common
                        .push(Given::by_file(option, at, values).map_err(told)?);
                }
            }
            (None, None) => {
                let what = format!(
                    "there is no option `{name}`; `selvedge sweep --help` has all, which stand here without dashes, beside `{FILES}`"
                );
                return Err((at, what));
            }
        }
    }
    match experiment.files.is_empty() {
        true => Err((1, format!("`{FILES}` is missing, which names the programs"))),
        false => Ok(experiment),
    }
}

/// The patterns of programs: a text, or an array of texts.
fn patterns(value: &Spanned<DeValue>) -> Result<Vec<String>, String> {
    let single = |value: &Spanned<DeValue>| match value.get_ref() {
        DeValue::String(text) => Some(text.to_string()),
        _ => None,
    };
    let all: Option<Vec<String>> = match value.get_ref() {
        DeValue::Array(all) => all.iter().map(single).collect(),
        _ => single(value).map(|one| vec![one]),
    };
    all.ok_or("expected a text or an array of texts".to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wrong_experiment_is_told_with_the_line() {
        for (text, line, expected) in [
            (
                "files = \"a.c\"\nround = 3\n",
                2,
                "there is no option `round`",
            ),
            ("files = 3\n", 1, "files: expected a text"),
            ("unwind = 1\n", 1, "`files` is missing"),
            (
                "files = \"a.c\"\nunwind = \"4..1\"\n",
                2,
                "unwind: the range is empty",
            ),
            (
                "files = \"a.c\"\nunwind = [1, 0]\n",
                2,
                "unwind: expected N or A..B",
            ),
            (
                "files = \"a.c\"\nno-prune = 1\n",
                2,
                "no-prune: expected true or false",
            ),
            (
                "files = \"a.c\"\nscheme = [\"tree\"]\n",
                2,
                "scheme: expected auto",
            ),
            (
                "files = \"a.c\"\nno-config = true\n",
                2,
                "there is no option",
            ),
        ] {
            let (at, told) = parse(text).err().expect(text);
            assert_eq!(at, line, "{text}: {told}");
            assert!(told.contains(expected), "{text}: {told}");
        }
    }
}
