//! Output of a run: what it prints and writes. A file that it writes is of this run or is not there.

use super::color::Color;
use super::refusal::Refusal;
use super::reports::Reports;
use super::reproduction;
use super::when::When;
use crate::report::save::remove;
use crate::report::text::Detail;
use crate::witness::Format;
use std::path::{Path, PathBuf};
use terminal_size::{Width, terminal_size_of};

/// Files to write, and what to print.
#[derive(Clone, Debug)]
pub struct Output {
    /// Files for the outcome.
    pub reports: Reports,
    /// For the formula that the verdict is about.
    pub dimacs: Option<PathBuf>,
    /// For the outcomes of levels, a line each.
    pub levels: Option<PathBuf>,
    /// For the proof of a successful verdict.
    pub proof: Option<PathBuf>,
    /// For the witness of the first violation, or of a proof.
    pub witness: Option<PathBuf>,
    /// Folder for the native reproduction of a counterexample.
    pub reproduce: Option<PathBuf>,
    /// A witness may be about files with other contents.
    pub any_hash: bool,
    /// A bounded verdict is not enough.
    pub require_complete: bool,
    /// The counterexample is printed.
    pub trace: bool,
    /// All steps of the counterexample are printed.
    pub all_steps: bool,
    /// Standard output has colours.
    pub color: Color,
    /// Progress line on standard error.
    pub progress: When,
    /// Warnings are printed.
    pub warnings: bool,
    /// 0: the result only; 1: progress, statistics, all steps of a counterexample.
    pub verbosity: u8,
}

impl Default for Output {
    fn default() -> Output {
        Output {
            reports: Reports::default(),
            dimacs: None,
            levels: None,
            proof: None,
            witness: None,
            reproduce: None,
            any_hash: false,
            require_complete: false,
            trace: true,
            all_steps: false,
            color: Color::default(),
            progress: When::default(),
            warnings: true,
            verbosity: 0,
        }
    }
}

/// Width of a text that is no terminal's, and least and largest width on a terminal, in characters.
const WIDTH: usize = 80;
const TERMINAL: (usize, usize) = (60, 160);

impl Output {
    /// Parts of the answer that are printed, as wide as the terminal.
    pub fn detail(&self) -> Detail {
        let terminal = terminal_size_of(std::io::stdout());
        let width = terminal.map(|(Width(width), _)| usize::from(width));
        Detail {
            trace: self.trace,
            all_steps: self.all_steps || self.verbosity > 0,
            width: width.map_or(WIDTH, |width| width.clamp(TERMINAL.0, TERMINAL.1)),
        }
    }

    fn files(&self) -> Vec<&Path> {
        let others = [&self.dimacs, &self.levels, &self.proof, &self.witness];
        let others = others.into_iter().flatten();
        let all = self.reports.files().chain(others);
        all.map(PathBuf::as_path).collect()
    }

    /// Says now, rather than after an hour, that a file cannot be written.
    ///
    /// # Errors
    /// There is no such folder, or the file is one of `inputs` or another output.
    pub fn check(&self, inputs: &[&Path]) -> Result<(), Refusal> {
        check(&self.files(), inputs)?;
        if let Some(path) = &self.witness
            && Format::of(path).is_none()
        {
            let path = path.display();
            return Err(Refusal::Usage(format!(
                "--witness {path}: the name of the file says the format, and ends in .graphml, .yml or .yaml"
            )));
        }
        match &self.reproduce {
            Some(folder) => check_folder(folder).and_then(|()| {
                let usable = reproduction::is_usable(folder);
                usable.map_err(|why| Refusal::Usage(format!("--reproduce: {why}")))
            }),
            None => Ok(()),
        }
    }

    /// Removes what earlier runs have left where this one writes.
    ///
    /// # Errors
    /// The system refuses to.
    pub fn clear(&self) -> Result<(), String> {
        self.files().into_iter().try_for_each(remove)?;
        self.reproduce
            .iter()
            .try_for_each(|folder| reproduction::clear(folder))
    }
}

/// Checks that files can be written.
///
/// # Errors
/// See [`Output::check`].
pub(super) fn check(outputs: &[&Path], inputs: &[&Path]) -> Result<(), Refusal> {
    for (i, path) in outputs.iter().enumerate() {
        check_folder(path)?;
        let told = |what: &str| {
            let path = path.display();
            Err(Refusal::Usage(format!("cannot write {path}: {what}")))
        };
        if inputs.iter().any(|input| is_same(input, path)) {
            return told("it is read");
        }
        if outputs[..i].iter().any(|other| is_same(other, path)) {
            return told("it is another output as well");
        }
    }
    Ok(())
}

/// Identity of files: true if two paths name the same one; of devices and pipes, several may be one.
fn is_same(one: &Path, other: &Path) -> bool {
    let is_special = |path: &Path| std::fs::metadata(path).is_ok_and(|found| !found.is_file());
    if is_special(one) {
        return false;
    }
    match (one.canonicalize(), other.canonicalize()) {
        (Ok(one), Ok(other)) => one == other,
        _ => one == other,
    }
}

fn check_folder(path: &Path) -> Result<(), Refusal> {
    let folder = match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => return Ok(()),
    };
    if folder.is_dir() {
        return Ok(());
    }
    let (path, folder) = (path.display(), folder.display());
    Err(Refusal::Usage(format!(
        "cannot write {path}: there is no folder {folder}"
    )))
}
