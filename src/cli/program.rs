//! Files of a program, and the flags that each is compiled with.

use super::options::Options;
use super::refusal::Refusal;
use super::{database, flags};
use crate::base::DataModel;
use crate::session::Flags;
use std::path::{Path, PathBuf};

/// A program as it is named: its files, and flags of a compiler for all of them.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Named {
    pub files: Vec<PathBuf>,
    pub flags: Vec<String>,
}

impl Named {
    /// One file.
    pub fn file(path: &Path) -> Named {
        Named {
            files: vec![path.to_path_buf()],
            flags: Vec::new(),
        }
    }
}

/// The files of a program and notes on them, with their flags where a compilation database is named.
///
/// # Errors
/// See [`Refusal`].
pub fn files(
    options: &mut Options,
    named: Vec<PathBuf>,
) -> Result<(Vec<PathBuf>, Vec<String>), Refusal> {
    let Some(path) = options.compile_commands.clone() else {
        return match options.patterns.first() {
            None => Ok((named, Vec::new())),
            Some(_) => Err(Refusal::Usage(
                "--files chooses files of --compile-commands, which is missing".to_string(),
            )),
        };
    };
    let entries = database::load(&path).map_err(Refusal::Input)?;
    let mut notes = Vec::new();
    let mut chosen = Vec::new();
    if named.is_empty() || !options.patterns.is_empty() {
        for entry in &entries {
            let mut is_chosen = options.patterns.is_empty();
            for pattern in &options.patterns {
                is_chosen |= database::matches(pattern, &entry.file).map_err(Refusal::Usage)?;
            }
            if is_chosen {
                chosen.push(entry.file.clone());
            }
        }
        if chosen.is_empty() {
            let what = format!("{}: none of its C files is asked for", path.display());
            return Err(Refusal::Input(what));
        }
    }
    chosen.extend(named);
    for file in &chosen {
        match entries
            .iter()
            .find(|entry| entry.file == database::plain(file))
        {
            Some(entry) => {
                let told = |error: String| Refusal::Input(format!("{}: {error}", file.display()));
                let flags = entry.flags.clone().map_err(told)?;
                options.reading.flags_of.insert(file.clone(), flags);
            }
            None => notes.push(format!("{} is not in {}", file.display(), path.display())),
        }
    }
    Ok((chosen, notes))
}

/// The data model that flags of compilers name.
///
/// # Errors
/// They name several.
pub fn model(options: &Options, files: &[PathBuf]) -> Result<Option<DataModel>, Refusal> {
    let for_all = &options.reading.flags;
    let of_file = |file: &PathBuf| {
        let own = options
            .reading
            .flags_of
            .get(file)
            .cloned()
            .unwrap_or_default();
        Flags {
            model: for_all.model.or(own.model),
            ..own
        }
    };
    let all: Vec<Flags> = files.iter().map(of_file).collect();
    flags::model(all.iter()).map_err(Refusal::Input)
}
