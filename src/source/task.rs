//! Verification tasks as the software-verification competition writes them: a `.yml` that names input files, a data
//! model and expected verdicts, and `.prp` property files, whose content (not name) says what is checked.

use std::path::{Path, PathBuf};

use saphyr::{LoadableYamlNode, Yaml};

use super::read::bytes;
use super::{DataModel, LoadError, decode};

/// Property that a property file asks for. Each variant's formula is `CHECK( init(main()), LTL(G …) )`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum PropertyFile {
    /// `! call(reach_error())`: no execution calls the error function.
    Reachability,
    /// `! data-race`
    DataRace,
    /// `! deadlock`
    Deadlock,
    /// `! overflow`: no signed integer overflow.
    Overflow,
    /// `valid-free`, `valid-deref` and `valid-memtrack` (one line each, any of them).
    MemorySafety {
        free: bool,
        deref: bool,
        memtrack: bool,
    },
    /// `valid-memcleanup`
    MemoryCleanup,
    /// `LTL(F end)`: every execution ends.
    Termination,
    /// A question about test generation (`COVER(…)`), which no verifier answers.
    Coverage,
}

/// A task.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Task {
    /// Programs, relative to the working folder (the `.yml` names them relative to itself).
    pub input_files: Vec<PathBuf>,
    /// `None` if the task does not say.
    pub data_model: Option<DataModel>,
    /// In the order of the file.
    pub properties: Vec<TaskProperty>,
}

/// One property of a task.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TaskProperty {
    /// Path of the `.prp`, relative to the working folder.
    pub property_file: PathBuf,
    /// `None` if unknown.
    pub expected_verdict: Option<bool>,
    /// Part of the property that is expected to be violated (`valid-deref`).
    pub subproperty: Option<String>,
}

/// Reason why a task or property file could not be read; displays as one line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum TaskError {
    /// The file itself.
    Load(LoadError),
    /// Its content: the file, and what is wrong.
    Content(PathBuf, String),
}

impl std::fmt::Display for TaskError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            TaskError::Load(error) => error.fmt(f),
            TaskError::Content(path, what) => write!(f, "{}: {what}", path.display()),
        }
    }
}

impl std::error::Error for TaskError {}

impl Task {
    /// Reads a `.yml`.
    pub fn load(path: &Path) -> Result<Task, TaskError> {
        let text = decode::lossless(bytes(path).map_err(TaskError::Load)?);
        Task::parse(&text, path.parent().unwrap_or(Path::new("")))
            .map_err(|what| TaskError::Content(path.to_path_buf(), what))
    }

    /// Parses the content of a `.yml` that lies in `folder`; an error says what was expected.
    pub fn parse(text: &str, folder: &Path) -> Result<Task, String> {
        let documents = Yaml::load_from_str(text).map_err(|error| error.to_string())?;
        let root = documents
            .first()
            .ok_or("empty, expected a task definition")?;
        let input_files = match root.as_mapping_get("input_files") {
            Some(files) => {
                strings(files).ok_or("`input_files` must be a file or a list of files")?
            }
            None => return Err("`input_files` is missing".to_string()),
        };
        let options = root.as_mapping_get("options");
        let data_model = match options.and_then(|options| options.as_mapping_get("data_model")) {
            None => None,
            Some(model) => match model.as_str() {
                Some("ILP32") => Some(DataModel::Ilp32),
                Some("LP64") => Some(DataModel::Lp64),
                _ => return Err("`data_model` must be ILP32 or LP64".to_string()),
            },
        };
        let mut properties = Vec::new();
        if let Some(list) = root.as_mapping_get("properties") {
            for item in list.as_sequence().ok_or("`properties` must be a list")? {
                properties.push(property(item, folder)?);
            }
        }
        let input_files = input_files
            .into_iter()
            .map(|file| folder.join(file))
            .collect();
        Ok(Task {
            input_files,
            data_model,
            properties,
        })
    }
}

/// A string, or a list of them that is not empty.
fn strings<'a>(node: &'a Yaml<'_>) -> Option<Vec<&'a str>> {
    match node.as_str() {
        Some(one) => Some(vec![one]),
        None => node
            .as_sequence()?
            .iter()
            .map(|item| item.as_str())
            .collect::<Option<Vec<_>>>()
            .filter(|v| !v.is_empty()),
    }
}

/// One item of `properties`.
fn property(item: &Yaml<'_>, folder: &Path) -> Result<TaskProperty, String> {
    let text = |key| item.as_mapping_get(key).and_then(|value| value.as_str());
    let file = text("property_file").ok_or("a property without `property_file`")?;
    let expected_verdict = match item.as_mapping_get("expected_verdict") {
        None => None,
        Some(value) => Some(
            value
                .as_bool()
                .ok_or("`expected_verdict` must be true or false")?,
        ),
    };
    Ok(TaskProperty {
        property_file: folder.join(file),
        expected_verdict,
        subproperty: text("subproperty").map(str::to_string),
    })
}

impl PropertyFile {
    /// Reads a `.prp`.
    pub fn load(path: &Path) -> Result<PropertyFile, TaskError> {
        let text = decode::lossless(bytes(path).map_err(TaskError::Load)?);
        PropertyFile::parse(&text).map_err(|what| TaskError::Content(path.to_path_buf(), what))
    }

    /// Parses the content of a `.prp`; an error names the formula that is not known.
    pub fn parse(text: &str) -> Result<PropertyFile, String> {
        let mut found: Option<PropertyFile> = None;
        for line in text
            .lines()
            .map(str::trim)
            .filter(|line| !line.is_empty() && !line.starts_with('#'))
        {
            let next =
                formula(line).ok_or_else(|| format!("the property `{line}` is not known"))?;
            found = Some(match (found, next) {
                (None, next) => next,
                (Some(before), next) if before == next => next,
                (
                    Some(PropertyFile::MemorySafety {
                        free,
                        deref,
                        memtrack,
                    }),
                    PropertyFile::MemorySafety {
                        free: f,
                        deref: d,
                        memtrack: m,
                    },
                ) => PropertyFile::MemorySafety {
                    free: free || f,
                    deref: deref || d,
                    memtrack: memtrack || m,
                },
                _ => {
                    return Err(format!(
                        "`{line}` cannot be checked together with the property before it"
                    ));
                }
            });
        }
        found.ok_or_else(|| "no property, expected `CHECK( init(main()), LTL(…) )`".to_string())
    }
}

/// The property of one line; spaces do not matter.
fn formula(line: &str) -> Option<PropertyFile> {
    let line: String = line.chars().filter(|c| !c.is_whitespace()).collect();
    if line.starts_with("COVER(") {
        return Some(PropertyFile::Coverage);
    }
    let formula = line
        .strip_prefix("CHECK(init(main()),LTL(")?
        .strip_suffix("))")?;
    let (free, deref, memtrack) = (false, false, false);
    Some(match formula {
        "G!call(reach_error())" | "G!call(__VERIFIER_error())" => PropertyFile::Reachability,
        "G!data-race" => PropertyFile::DataRace,
        "G!deadlock" => PropertyFile::Deadlock,
        "G!overflow" => PropertyFile::Overflow,
        "Gvalid-free" => PropertyFile::MemorySafety {
            free: true,
            deref,
            memtrack,
        },
        "Gvalid-deref" => PropertyFile::MemorySafety {
            free,
            deref: true,
            memtrack,
        },
        "Gvalid-memtrack" => PropertyFile::MemorySafety {
            free,
            deref,
            memtrack: true,
        },
        "Gvalid-memcleanup" => PropertyFile::MemoryCleanup,
        "Fend" => PropertyFile::Termination,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_task() {
        let text = "format_version: '2.0'\n# a comment\ninput_files: 'a.i'\nproperties:\n  - property_file: ../p/r.prp\n    \
                    expected_verdict: false # why\n  - property_file: ../p/m.prp\n    expected_verdict: true\n    \
                    subproperty: valid-deref\noptions:\n  language: C\n  data_model: ILP32\n";
        let task = Task::parse(text, Path::new("x")).unwrap();
        assert_eq!(task.input_files, [PathBuf::from("x/a.i")]);
        assert_eq!(task.data_model, Some(DataModel::Ilp32));
        assert_eq!(task.properties[0].expected_verdict, Some(false));
        assert_eq!(
            task.properties[1].subproperty.as_deref(),
            Some("valid-deref")
        );
        let several = Task::parse("input_files: [a.c, b.c]", Path::new("")).unwrap();
        assert_eq!(several.input_files.len(), 2);
    }

    #[test]
    fn broken_tasks() {
        for (text, message) in [
            ("", "empty"),
            ("a: 1", "`input_files` is missing"),
            ("input_files: []", "`input_files` must be"),
            (
                "input_files: a.c\noptions:\n  data_model: LLP64",
                "`data_model` must be",
            ),
            (
                "input_files: a.c\nproperties:\n  - expected_verdict: true",
                "without `property_file`",
            ),
            ("input_files: 'a", ""),
        ] {
            let error = Task::parse(text, Path::new("")).unwrap_err();
            assert!(error.contains(message), "{text}: {error}");
        }
    }

    #[test]
    fn properties_by_their_content() {
        let check = |formula: &str| {
            PropertyFile::parse(&format!("CHECK( init(main()), LTL({formula}) )\n"))
        };
        assert_eq!(
            check("G ! call(reach_error())"),
            Ok(PropertyFile::Reachability)
        );
        assert_eq!(check("G ! data-race"), Ok(PropertyFile::DataRace));
        assert_eq!(check("F end"), Ok(PropertyFile::Termination));
        assert!(check("G ! call(f())").is_err());
        assert!(PropertyFile::parse("\n").is_err());
        let memory =
            "CHECK( init(main()), LTL(G valid-free) )\nCHECK( init(main()), LTL(G valid-deref) )";
        let expect = PropertyFile::MemorySafety {
            free: true,
            deref: true,
            memtrack: false,
        };
        assert_eq!(PropertyFile::parse(memory), Ok(expect));
    }
}
