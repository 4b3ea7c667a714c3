//! Verification tasks (`.yml`) and property files (`.prp`), as far as they can be done here.

use crate::base::DataModel;
use crate::ir::{Check, Checks};
use crate::source::task::{PropertyFile, Task};
use std::path::{Path, PathBuf};

/// A task, as far as it is known here.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Asked {
    /// The program's files.
    pub files: Vec<PathBuf>,
    /// Data model, if the task names one.
    pub model: Option<DataModel>,
    /// Checks of its property: `unreach-call` if it is listed, else the only one that can be checked; `None` if none is
    /// listed, or nobody wants to know.
    pub checks: Option<Checks>,
    /// The file of that property.
    pub property: Option<PathBuf>,
}

/// Program and checks of a task. If `wants_property`, it must be clear which of its properties is meant.
///
/// # Errors
/// A message for people: what is wrong with which file.
pub fn task(path: &Path, wants_property: bool) -> Result<Asked, String> {
    let task = Task::load(path).map_err(|error| error.to_string())?;
    let told = |error: &str| format!("{}: {error}", path.display());
    let mut property = None;
    if wants_property && !task.properties.is_empty() {
        let files = task
            .properties
            .iter()
            .map(|one| one.property_file.as_path());
        let known: Vec<(&Path, Checks)> = files
            .filter_map(|file| Some((file, asked(file)?)))
            .collect();
        let reachability = known.iter().find(|(_, checks)| *checks == Checks::ASSERT);
        property = match (reachability, &known[..]) {
            (Some(one), _) | (None, [one]) => Some(*one),
            (None, []) => {
                return Err(told(
                    "none of its properties can be checked; supported are unreach-call, valid-memsafety, valid-memcleanup, and \
                     no-overflow",
                ));
            }
            (None, several) => {
                let names = several.iter().map(|(file, _)| file.display().to_string());
                let names = names.collect::<Vec<_>>().join(", ");
                return Err(told(&format!(
                    "it has several properties, name one by --property: {names}"
                )));
            }
        };
    }
    Ok(Asked {
        files: task.input_files,
        model: task.data_model,
        checks: property.map(|(_, checks)| checks),
        property: property.map(|(file, _)| file.to_path_buf()),
    })
}

/// Checks of a property file of a task, if it can be checked. A file may be missing where a task was copied alone; its name
/// is as good.
fn asked(file: &Path) -> Option<Checks> {
    let by_name = match file.file_name()?.to_str()? {
        "unreach-call.prp" => Some(Checks::ASSERT),
        "no-data-race.prp" => Some(Checks::of(&[Check::Race])),
        "no-deadlock.prp" => Some(Checks::of(&[Check::Deadlock])),
        "no-overflow.prp" => Some(Checks::of(&[Check::Overflow])),
        "valid-memsafety.prp" => Some(Checks::of(&[Check::Memory, Check::Leak])),
        "valid-memcleanup.prp" => Some(Checks::of(&[Check::Cleanup])),
        _ => None,
    };
    property(file).ok().or(by_name)
}

/// The property of a file.
///
/// # Errors
/// A message for people: what is wrong with the file.
pub fn property(path: &Path) -> Result<Checks, String> {
    let asked = PropertyFile::load(path).map_err(|error| error.to_string())?;
    checks(asked).ok_or_else(|| {
        format!(
            "{}: this property is not supported; supported are G ! call(reach_error()), G ! data-race, G ! deadlock, G ! overflow, \
             G valid-free, G valid-deref, G valid-memtrack, and G valid-memcleanup",
            path.display()
        )
    })
}

/// The checks of a property, if it is supported.
pub fn checks(asked: PropertyFile) -> Option<Checks> {
    match asked {
        PropertyFile::Reachability => Some(Checks::ASSERT),
        PropertyFile::Overflow => Some(Checks::of(&[Check::Overflow])),
        PropertyFile::MemorySafety {
            free,
            deref,
            memtrack,
        } => {
            let parts = [
                (free, Checks::FREES),
                (deref, Checks::ACCESSES),
                (memtrack, Checks::of(&[Check::Leak])),
            ];
            let asked = parts.into_iter().filter(|(is_asked, _)| *is_asked);
            Some(asked.fold(Checks::default(), |all, (_, part)| all.or(part)))
        }
        PropertyFile::MemoryCleanup => Some(Checks::of(&[Check::Cleanup])),
        PropertyFile::DataRace => Some(Checks::of(&[Check::Race])),
        PropertyFile::Deadlock => Some(Checks::of(&[Check::Deadlock])),
        PropertyFile::Termination | PropertyFile::Coverage => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TASK: &str = "format_version: '2.0'\ninput_files: 'a.i'\nproperties:\n  - property_file: \
        ../properties/unreach-call.prp\n    expected_verdict: false\n  - property_file: no-overflow.prp\n\
        options:\n  language: C\n  data_model: ILP32\n";

    #[test]
    fn a_task_names_file_and_model() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("t.yml");
        std::fs::write(&path, TASK).unwrap();
        let found = task(&path, true).unwrap();
        assert_eq!(found.files, [folder.path().join("a.i")]);
        assert_eq!(found.model, Some(DataModel::Ilp32));
        assert_eq!(found.checks, Some(Checks::ASSERT));
        let property = folder.path().join("../properties/unreach-call.prp");
        assert_eq!(found.property, Some(property));
        let without = TASK.replace("unreach-call", "termination");
        std::fs::write(&path, &without).unwrap();
        let overflow = [Check::Overflow].into_iter().collect();
        assert_eq!(task(&path, true).unwrap().checks, Some(overflow));
        std::fs::write(&path, without.replace("no-overflow", "termination")).unwrap();
        let error = task(&path, true).unwrap_err();
        assert!(error.contains("none of its properties"), "{error}");
        assert_eq!(task(&path, false).unwrap().checks, None);
        std::fs::write(&path, "input_files: [a.c, b.c]\n").unwrap();
        let both = ["a.c", "b.c"].map(|name| folder.path().join(name));
        assert_eq!(task(&path, true).unwrap().files, both);
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
        assert_eq!(property(&path), Ok(Checks::ASSERT));
        let leak = Checks::of(&[Check::Leak]);
        for (parts, expected) in [
            (&["free"][..], Checks::FREES),
            (&["deref"], Checks::ACCESSES),
            (&["memtrack"], leak),
            (&["free", "deref"], Checks::of(&[Check::Memory])),
            (&["free", "memtrack"], Checks::FREES.or(leak)),
            (&["memtrack", "deref"], Checks::ACCESSES.or(leak)),
            (
                &["free", "deref", "memtrack"],
                Checks::of(&[Check::Memory, Check::Leak]),
            ),
        ] {
            let line = |part| format!("CHECK( init(main()), LTL(G valid-{part}) )\n");
            let lines: Vec<String> = parts.iter().map(line).collect();
            std::fs::write(&path, lines.concat()).unwrap();
            assert_eq!(property(&path), Ok(expected), "{parts:?}");
        }
        std::fs::write(&path, "CHECK( init(main()), LTL(G ! data-race) )\n").unwrap();
        assert_eq!(property(&path), Ok(Checks::of(&[Check::Race])));
        std::fs::write(&path, "CHECK( init(main()), LTL(G ! deadlock) )\n").unwrap();
        assert_eq!(property(&path), Ok(Checks::of(&[Check::Deadlock])));
        std::fs::write(&path, "CHECK( init(main()), LTL(F end) )\n").unwrap();
        assert!(property(&path).unwrap_err().contains("not supported"));
    }
}
