//! Programs of a sweep: each is read once, so that what cannot be read is told before anything runs.

use super::options::{Line, Sweep, given};
use crate::base::DataModel;
use crate::cli::config::{Config, Job};
use crate::cli::option::Given;
use crate::cli::options::{NO_CONFIG, Options};
use crate::cli::program::Named;
use crate::cli::refusal::Refusal;
use crate::ir::Checks;
use crate::source::{LoadError, Source, read};
use crate::sweep::{self, Text};
use std::ffi::OsString;
use std::path::Path;

/// Reads a program.
///
/// # Errors
/// See [`Refusal`].
pub fn text(file: &Path, line: &Line, sweep: &Sweep) -> Result<Text, Refusal> {
    let common = &line.common;
    // A row that names checks says what is asked of a task, too.
    let checks = sweep.values("check");
    let of_rows = checks
        .first()
        .map(|value| given("check", &value.to_string()));
    let of_rows = of_rows.transpose().map_err(Refusal::Usage)?;
    let all: Vec<Given<Options>> = common.iter().cloned().chain(of_rows).collect();
    let config = Config::of(Job::Verify, Named::file(file), &all)?;
    let [path] = config.files.as_slice() else {
        return Err(Refusal::Input(format!(
            "{}: a sweep takes programs of one file each",
            file.display()
        )));
    };
    // Every cell reads it.
    read::regular(path).map_err(|error| Refusal::Input(error.to_string()))?;
    let source =
        Source::load(path, &config.options.reading.source(path)).map_err(|error| match error {
            LoadError::Invalid(text) => Refusal::Diagnostic(text.trim_end().to_string()),
            error => Refusal::Input(error.to_string()),
        })?;
    let reading = &config.options.reading;
    let mut told = source
        .warnings
        .iter()
        .filter(|(kind, _)| reading.warnings.contains(*kind));
    if let (true, Some((_, warning))) = (reading.deny_warnings && sweep.plan.is_some(), told.next())
    {
        // Jobs read a text that says nothing of it any more.
        return Err(Refusal::Diagnostic(
            warning.shown("error").trim_end().to_string(),
        ));
    }
    let model = match config.model() {
        DataModel::Ilp32 => "--32",
        DataModel::Lp64 => "--64",
    };
    // Nobody chose it, but the task may have.
    let mut options: Vec<OsString> = match config.options.model {
        None => vec![model.into()],
        Some(_) => Vec::new(),
    };
    // So do cells ask for what the task does, or for assertions, whose first violation is the answer.
    let names = |name: &str| all.iter().any(|one| one.option.name == name);
    let mut property = None;
    if !names("check") && !names("property") {
        let checks = if config.is_asked {
            config.options.request.checks
        } else {
            Checks::ASSERT
        };
        match &config.property_of_task {
            Some(file) if !checks.is_named() => property = Some(file.clone()),
            _ => options.extend(["--check".into(), checks.names().into()]),
        }
    }
    let mut of_property: Vec<OsString> = Vec::new();
    if let Some(file) = &property {
        of_property.extend(["--property".into(), file.into()]);
    }
    let first = !names("check") && !names("property") && !names("first");
    let mut behind: Vec<OsString> = first.then(|| "--first".into()).into_iter().collect();
    // Every cell has the last one anyway.
    let own = common
        .iter()
        .filter(|one| !one.option.is_limit && one.option.name != NO_CONFIG);
    let mut without: Vec<OsString> = [&options[..], &behind].concat();
    options.extend(of_property);
    options.append(&mut behind);
    for one in own {
        options.extend(one.words());
        let named =
            one.option.name == "property" && one.texts().iter().any(|text| text.ends_with(".prp"));
        if named {
            property = one.texts().first().map(|text| text.as_ref().into());
        } else if !one.option.is_in_text {
            without.extend(one.words());
        }
    }
    let mut content = source.text.clone();
    // A change of what is suppressed changes answers.
    for entry in &config.suppressed {
        content.push_str(&format!("\n{}", entry.fingerprint));
    }
    let input = sweep::Input {
        name: file.display().to_string(),
        path: path.clone(),
        content: sweep::content(&content),
        words: options.clone(),
        options,
    };
    if sweep.plan.is_none() {
        return Ok(Text {
            input,
            text: String::new(),
            property: None,
        });
    }
    if !config.suppressed.is_empty() {
        return Err(Refusal::Usage(
            "--suppress has no meaning with --plan: fingerprints are of the lines of the program's own files, which a plan has not"
                .to_string(),
        ));
    }
    let property = property.map(|file: std::path::PathBuf| {
        let bytes = read::bytes(&file);
        bytes.map_err(|error| Refusal::Input(error.to_string()))
    });
    Ok(Text {
        input: sweep::Input {
            words: without,
            ..input
        },
        text: source.marked(),
        property: property.transpose()?,
    })
}
