//! Verification tasks (`.yml`) and property files (`.prp`), as far as they can be done here.

use crate::base::DataModel;
use crate::goal::Check;
use crate::source::task::{PropertyFile, Task};
use std::path::{Path, PathBuf};

/// The program of a task, and its data model if the task names one. If `wants_property`, one of the task's
/// properties must be one that can be checked.
///
/// # Errors
/// A message for people: what is wrong with which file.
pub fn program(path: &Path, wants_property: bool) -> Result<(PathBuf, Option<DataModel>), String> {
    let task = Task::load(path).map_err(|error| error.to_string())?;
    let told = |error: &str| format!("{}: {error}", path.display());
    let [file] = task.input_files.as_slice() else {
        return Err(told("tasks of several input files are not supported"));
    };
    // A property file may be missing where a task was copied alone; its name is as good.
    let can_be_checked = |file: &Path| file.ends_with("unreach-call.prp") || property(file).is_ok();
    if wants_property
        && !task.properties.is_empty()
        && !task
            .properties
            .iter()
            .any(|one| can_be_checked(&one.property_file))
    {
        return Err(told(
            "none of its properties can be checked; supported is unreach-call",
        ));
    }
    Ok((file.clone(), task.data_model))
}

/// The property of a file.
///
/// # Errors
/// A message for people: what is wrong with the file.
pub fn property(path: &Path) -> Result<Check, String> {
    match PropertyFile::load(path).map_err(|error| error.to_string())? {
        PropertyFile::Reachability => Ok(Check::Assert),
        _ => Err(format!(
            "{}: this property is not supported; supported is CHECK( init(main()), LTL(G ! call(reach_error())) )",
            path.display()
        )),
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
        let found = program(&path, true).unwrap();
        assert_eq!(found, (folder.path().join("a.i"), Some(DataModel::Ilp32)));
        std::fs::write(&path, TASK.replace("unreach-call", "no-data-race")).unwrap();
        assert!(
            program(&path, true)
                .unwrap_err()
                .contains("none of its properties")
        );
        assert!(program(&path, false).is_ok());
        std::fs::write(&path, "input_files: [a.c, b.c]\n").unwrap();
        assert!(
            program(&path, true)
                .unwrap_err()
                .contains("several input files")
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
        assert_eq!(property(&path), Ok(Check::Assert));
        std::fs::write(&path, "CHECK( init(main()), LTL(G ! data-race) )\n").unwrap();
        assert!(property(&path).unwrap_err().contains("not supported"));
    }
}
