//! The C preprocessor (C11 6.10, with what GNU C adds), so that no compiler is needed.
//!
//! A text becomes tokens ([`lex`]) after its lines were joined ([`buffer`]); directives are obeyed as they come
//! ([`directive`], [`condition`], [`define`], [`file`]), macros expanded ([`expand`], [`paste`]), and the tokens
//! printed as a text that remembers where each of them came from ([`print`], [`inclusions`]). A token out of a macro
//! stands where the user used the macro.
//!
//! Headers are searched as compilers do (`"…"` beside the including file first, then `-I` in order, then the bundled
//! ones, then `--isystem`); those of the machine are not searched unless the user names their folder, so that the
//! same program gives the same text everywhere. Macros describe GNU C on Linux for the chosen data model; date and
//! time are always the same.
//!
//! Architecture invariant: any bytes give a text or located errors. What could run away is counted: inclusions,
//! nesting, tokens out of macros, bytes of the text.

mod buffer;
mod condition;
mod define;
mod directive;
mod expand;
pub(super) mod external;
mod file;
mod has;
mod inclusions;
mod lex;
mod macros;
mod paste;
mod predefined;
mod print;
mod state;
mod token;

pub(super) use print::Origins;

use super::Options;
use super::message::Message;
use crate::base::{DataModel, WarningKind};
use buffer::Buffer;
use bumpalo::Bump;
use hashbrown::HashMap;
use inclusions::{BytePos, Inclusions};
use macros::{BUILTINS, Macro};
use print::Printer;
use state::{Folder, Preprocessor, Stop};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use token::{Kind, Names};

/// A preprocessed program.
pub(super) struct Preprocessed {
    pub text: String,
    pub origins: Origins,
    /// Warnings, each with its kind.
    pub warnings: Vec<(WarningKind, Message)>,
}

/// Preprocesses the text of a file.
///
/// # Errors
/// All that is wrong with it, as it is shown.
pub(super) fn preprocess(
    path: &Path,
    text: String,
    options: &Options,
) -> Result<Preprocessed, String> {
    let arena = Bump::new();
    let mut pre = Preprocessor::new(&arena, path, options);
    let mut printer = Printer::default();
    let done = pre.all(path, text, options, &mut printer);
    // Whoever gave up has said why.
    debug_assert!(done.is_ok() || !pre.errors.is_empty());
    if !pre.errors.is_empty() {
        let mut told: Vec<String> = pre
            .errors
            .iter()
            .map(|(place, text)| pre.message(*place, text).shown("error"))
            .collect();
        if pre.has_too_many_errors() {
            told.push(format!("{}: too many errors\n", path.display()));
        }
        return Err(told.concat());
    }
    let warnings = pre
        .warnings
        .iter()
        .map(|(kind, place, text)| (*kind, pre.message(*place, &kind.behind(text))))
        .collect();
    let (text, origins) = printer.finish(pre.inclusions);
    Ok(Preprocessed {
        text,
        origins,
        warnings,
    })
}

/// The folder within one of the system that has headers for a machine, as Debian's `/usr/include` does: compilers search it first.
fn of_machine(folder: &Path, model: DataModel) -> Option<PathBuf> {
    let machines: &[&str] = match model {
        DataModel::Ilp32 => &["i386-linux-gnu", "x86_64-linux-gnu"],
        DataModel::Lp64 => &["x86_64-linux-gnu"],
    };
    let mut own = machines.iter().map(|machine| folder.join(machine));
    own.find(|own| own.join("bits").is_dir())
}

impl<'a> Preprocessor<'a> {
    fn new(arena: &'a Bump, path: &Path, options: &Options) -> Preprocessor<'a> {
        let folders = |paths: &[std::path::PathBuf]| {
            paths.iter().cloned().map(Folder::Path).collect::<Vec<_>>()
        };
        let mut search = folders(&options.quote_includes);
        let quoted = search.len();
        search.extend(folders(&options.includes));
        if !options.bare {
            search.push(Folder::Bundled);
        }
        for folder in &options.system_includes {
            search.extend(of_machine(folder, options.model).map(Folder::Path));
            search.push(Folder::Path(folder.clone()));
        }
        let mut pre = Preprocessor {
            names: Names::new(arena),
            inclusions: Inclusions::default(),
            disabled: Vec::new(),
            macros: Vec::new(),
            saved: HashMap::default(),
            frames: Vec::new(),
            files: HashMap::default(),
            search,
            quoted,
            base_file: path.to_string_lossy().into_owned(),
            pending: Vec::new(),
            floor: 0,
            from_file: true,
            stops_at_directive: false,
            depth: 0,
            made: 0,
            counter: 0,
            directive: BytePos(0),
            errors: Vec::new(),
            warnings: Vec::new(),
        };
        for (name, builtin) in BUILTINS {
            let name = pre.names.name(name);
            pre.set_macro(name, Some(Macro::Builtin(builtin)));
        }
        pre
    }

    /// Reads everything and prints it.
    fn all(
        &mut self,
        path: &Path,
        text: String,
        options: &Options,
        to: &mut Printer,
    ) -> Result<(), Stop> {
        self.enter_main(path, text)?;
        let forced = options.forced.iter();
        let forced: String = forced
            .map(|header| format!("#include \"{}\"\n", header.display()))
            .collect();
        self.enter_own(forced, "<command line>")?;
        let user = predefined::command_line(&options.defines, &options.undefines);
        self.enter_own(user, "<command line>")?;
        self.enter_own(predefined::text(options), "<built-in>")?;
        while let Some(token) = self.next_expanded()? {
            let text = self.names.text(token.name);
            match (token.kind, text) {
                (Kind::Unclosed, _) => {
                    let quote = if text.contains('"') && !text.starts_with('\'') {
                        '"'
                    } else {
                        '\''
                    };
                    self.error(token.place, format!("this {quote} is never closed"));
                }
                (Kind::Punctuator, "#" | "##" | "%:" | "%:%:") => {
                    self.error(token.place, format!("`{text}` outside of a directive"));
                }
                _ => to.token(&token, text),
            }
            if to.text.len() > print::MOST_BYTES {
                let message = "the program becomes too large by preprocessing".to_string();
                return Err(self.give_up(token.place, message));
            }
        }
        Ok(())
    }

    fn enter_own(&mut self, text: String, name: &str) -> Result<(), Stop> {
        let buffer = Arc::new(Buffer::new(text));
        self.enter(buffer, name, name.to_string(), None, usize::MAX, None)
    }
}

#[cfg(test)]
mod tests;
