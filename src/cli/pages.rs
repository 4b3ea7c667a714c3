//! Completions of shells and man pages, from the syntax of the command line.

use super::refusal::Refusal;
use crate::report::save::save;
use clap::Command;
use clap_complete::Shell;
use clap_mangen::Man;
use std::path::{Path, PathBuf};

/// The script that completes command lines in a shell.
pub fn completions(mut command: Command, shell: Shell) -> String {
    let mut text = Vec::new();
    let name = command.get_name().to_string();
    clap_complete::generate(shell, &mut command, name, &mut text);
    String::from_utf8_lossy(&text).into_owned()
}

/// The man page of the program.
pub fn page(command: Command) -> String {
    let mut text = Vec::new();
    // A vector takes all that is written to it.
    let _ = Man::new(command).render(&mut text);
    String::from_utf8_lossy(&text).into_owned()
}

/// Writes a page for the program and one for each command into a folder that exists, and returns the files.
///
/// # Errors
/// There is no such folder, or the system refuses to write.
pub fn write(mut command: Command, folder: &Path) -> Result<Vec<PathBuf>, Refusal> {
    if !folder.is_dir() {
        let folder = folder.display();
        return Err(Refusal::Usage(format!("there is no folder {folder}")));
    }
    command.build();
    let mut files = Vec::new();
    for command in command.get_subcommands().chain([&command]) {
        let file = folder.join(Man::new(command.clone()).get_filename());
        let text = page(command.clone());
        save(&file, |out| out.write_all(text.as_bytes())).map_err(Refusal::Input)?;
        files.push(file);
    }
    Ok(files)
}
