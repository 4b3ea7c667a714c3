//! Verification tasks (`.yml`) and property files (`.prp`) in the format of the SV-COMP competitions.
//!
//! Of YAML, only what such files use is read: `key: value` lines, lists of `- item`, one level of nesting, plain
//! or quoted strings, comments.

use super::config::PropertyChoice;
use crate::base::DataModel;
use std::path::{Path, PathBuf};

/// What a task says about its program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Task {
    /// The C file.
    pub file: PathBuf,
    /// Its data model, if the task names one.
    pub model: Option<DataModel>,
}

impl Task {
    /// Reads a task. If `wants_property`, one of its properties must be one that can be checked.
    ///
    /// # Errors
    /// What is wrong with which file, for people.
    pub fn read(path: &Path, wants_property: bool) -> Result<Task, String> {
        let text = read(path)?;
        let told = |error: String| format!("{}: {error}", path.display());
        let parts = parse(&text).map_err(told)?;
        let folder = path.parent().unwrap_or(Path::new(""));
        let file = match parts.files.as_slice() {
            [file] => folder.join(file),
            [] => return Err(told("expected input_files with one C file".to_string())),
            _ => {
                return Err(told(
                    "several input files are not supported; expected one C file".to_string(),
                ));
            }
        };
        let model = match parts.model.as_deref() {
            None => None,
            Some("ILP32") => Some(DataModel::Ilp32),
            Some("LP64") => Some(DataModel::Lp64),
            Some(other) => return Err(told(format!("data_model {other}: expected ILP32 or LP64"))),
        };
        if wants_property && !parts.properties.is_empty() {
            let can_be_checked = |property: &String| {
                // The file may be missing where a task was copied alone; its name is as good.
                property.ends_with("unreach-call.prp")
                    || read_property(&folder.join(property)).is_ok()
            };
            if !parts.properties.iter().any(can_be_checked) {
                return Err(told(
                    "none of its properties can be checked; supported is unreach-call".to_string(),
                ));
            }
        }
        Ok(Task { file, model })
    }
}

/// Reads a property file.
///
/// # Errors
/// What is wrong with it, for people.
pub fn read_property(path: &Path) -> Result<PropertyChoice, String> {
    let text = read(path)?;
    let compact: String = text.chars().filter(|c| !c.is_whitespace()).collect();
    match compact.as_str() {
        "CHECK(init(main()),LTL(G!call(reach_error())))"
        | "CHECK(init(main()),LTL(G!call(__VERIFIER_error())))" => Ok(PropertyChoice::Reach),
        _ => Err(format!(
            "{}: this property is not supported; supported is CHECK( init(main()), LTL(G ! call(reach_error())) )",
            path.display()
        )),
    }
}

fn read(path: &Path) -> Result<String, String> {
    std::fs::read_to_string(path)
        .map_err(|error| format!("cannot read {}: {error}", path.display()))
}

/// The parts of a task file that matter here.
#[derive(Default)]
struct Parts {
    files: Vec<String>,
    properties: Vec<String>,
    model: Option<String>,
}

fn parse(text: &str) -> Result<Parts, String> {
    let mut parts = Parts::default();
    let mut section = String::new();
    for (index, line) in text.lines().enumerate() {
        let line = without_comment(line);
        let content = line.trim();
        if content.is_empty() || content == "---" {
            continue;
        }
        let is_nested = line.starts_with([' ', '-', '\t']);
        let item = content.strip_prefix("- ").map(str::trim);
        let pair = item
            .unwrap_or(content)
            .split_once(':')
            .filter(|(_, value)| value.is_empty() || value.starts_with([' ', '\t']));
        match pair {
            Some((key, value)) if !is_nested => {
                section = key.to_string();
                if key == "input_files" && !value.trim().is_empty() {
                    parts.files.extend(list(value));
                }
            }
            Some(("property_file", value)) if section == "properties" => {
                parts.properties.push(scalar(value))
            }
            Some(("data_model", value)) if section == "options" => {
                parts.model = Some(scalar(value))
            }
            Some(_) => {}
            None => match item {
                Some(item) if section == "input_files" => parts.files.push(scalar(item)),
                Some(_) => {}
                None => {
                    return Err(format!(
                        "line {}: expected `key: value` or `- item`",
                        index + 1
                    ));
                }
            },
        }
    }
    Ok(parts)
}

fn without_comment(line: &str) -> &str {
    match line.find('#') {
        Some(0) => "",
        Some(at) if line[..at].ends_with([' ', '\t']) => &line[..at],
        _ => line,
    }
}

/// `a`, `'a'`, `"a"`, or a list of them in brackets.
fn list(value: &str) -> Vec<String> {
    let value = value.trim();
    match value
        .strip_prefix('[')
        .and_then(|rest| rest.strip_suffix(']'))
    {
        Some(items) => items
            .split(',')
            .map(scalar)
            .filter(|item| !item.is_empty())
            .collect(),
        None => vec![scalar(value)],
    }
}

fn scalar(value: &str) -> String {
    let value = value.trim();
    let unquoted = |quote: char| {
        value
            .strip_prefix(quote)
            .and_then(|rest| rest.strip_suffix(quote))
    };
    unquoted('\'')
        .or_else(|| unquoted('"'))
        .unwrap_or(value)
        .to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    const TASK: &str = "format_version: '2.0'\n\n# old name: x\ninput_files: 'a.i'\n\nproperties:\n  - property_file: \
        ../properties/unreach-call.prp\n    expected_verdict: false\n  - property_file: no-overflow.prp # later\n\n\
        options:\n  language: C\n  data_model: ILP32\n";

    #[test]
    fn a_task_names_file_and_model() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("t.yml");
        std::fs::write(&path, TASK).unwrap();
        let task = Task::read(&path, true).unwrap();
        assert_eq!(
            (task.file, task.model),
            (folder.path().join("a.i"), Some(DataModel::Ilp32))
        );
        std::fs::write(&path, TASK.replace("unreach-call", "no-data-race")).unwrap();
        assert!(
            Task::read(&path, true)
                .unwrap_err()
                .contains("none of its properties")
        );
        assert!(Task::read(&path, false).is_ok());
    }

    #[test]
    fn lists_of_files() {
        assert_eq!(
            parse("input_files:\n  - a.c\n  - 'b.c'\n").unwrap().files,
            ["a.c", "b.c"]
        );
        assert_eq!(
            parse("input_files: [\"a.c\", b.c]\n").unwrap().files,
            ["a.c", "b.c"]
        );
        assert_eq!(parse("input_files:\n- a#1.c\n").unwrap().files, ["a#1.c"]);
    }

    #[test]
    fn what_is_not_a_task_is_refused() {
        assert!(parse("int main(void) {\n").is_err());
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("t.yml");
        for (text, expected) in [
            ("options:\n", "expected input_files"),
            ("input_files: [a.c, b.c]\n", "several input files"),
            (
                "input_files: a.c\noptions:\n  data_model: ILP64\n",
                "expected ILP32 or LP64",
            ),
        ] {
            std::fs::write(&path, text).unwrap();
            assert!(
                Task::read(&path, true).unwrap_err().contains(expected),
                "{text}"
            );
        }
        assert!(
            Task::read(&folder.path().join("none.yml"), true)
                .unwrap_err()
                .contains("cannot read")
        );
    }

    #[test]
    fn properties() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("p.prp");
        std::fs::write(
            &path,
            "CHECK( init(main()), LTL(G ! call(reach_error())) )\n",
        )
        .unwrap();
        assert_eq!(read_property(&path), Ok(PropertyChoice::Reach));
        std::fs::write(&path, "CHECK( init(main()), LTL(G ! data-race) )\n").unwrap();
        assert!(read_property(&path).unwrap_err().contains("not supported"));
    }
}
