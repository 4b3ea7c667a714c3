//! Compilation databases (`compile_commands.json`, as Clang's documentation has them): for each file of a project, the command that
//! compiles it.

use super::flags;
use crate::session::Flags;
use crate::source::read;
use serde::Deserialize;
use std::path::{Path, PathBuf};

/// A command of a database.
#[derive(Deserialize)]
struct Command {
    directory: PathBuf,
    file: PathBuf,
    /// Words of the command.
    arguments: Option<Vec<String>>,
    /// The same as a shell takes it.
    command: Option<String>,
}

/// A C file of a project with its flags.
#[derive(Debug)]
pub struct Entry {
    pub file: PathBuf,
    pub flags: Result<Flags, String>,
}

/// C files of a database, in its order, each once: the first command of a file counts.
///
/// # Errors
/// It cannot be read.
pub fn load(path: &Path) -> Result<Vec<Entry>, String> {
    let told = |what: String| format!("{}: {what}", path.display());
    let bytes = read::bytes(path).map_err(|error| error.to_string())?;
    let commands: Vec<Command> = serde_json::from_slice(&bytes)
        .map_err(|error| told(format!("this is no compilation database: {error}")))?;
    let mut entries: Vec<Entry> = Vec::new();
    for command in commands {
        let is_c = command
            .file
            .extension()
            .is_some_and(|extension| extension == "c");
        let folder = path
            .parent()
            .unwrap_or(Path::new(""))
            .join(&command.directory);
        let file = plain(&folder.join(&command.file));
        if !is_c || entries.iter().any(|entry| entry.file == file) {
            continue;
        }
        let words = match (command.arguments, command.command) {
            (Some(words), _) => words,
            (None, Some(text)) => shell_words::split(&text)
                .map_err(|error| told(format!("{}: {error}", file.display())))?,
            (None, None) => return Err(told(format!("{} has no command", file.display()))),
        };
        // The compiler comes first, and the file itself is somewhere.
        let is_file = |word: &String| plain(&folder.join(word)) == file;
        let words: Vec<String> = words
            .into_iter()
            .skip(1)
            .filter(|word| !is_file(word))
            .collect();
        let flags = flags::parse(&words, &folder);
        entries.push(Entry { file, flags });
    }
    Ok(entries)
}

/// A path without `.` and `..`, relative to the current folder if it is in it.
pub fn plain(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            std::path::Component::CurDir => {}
            std::path::Component::ParentDir if plain.file_name().is_some() => {
                plain.pop();
            }
            part => plain.push(part),
        }
    }
    let here = std::env::current_dir().ok();
    let inside = here.and_then(|here| plain.strip_prefix(here).ok().map(Path::to_path_buf));
    inside.unwrap_or(plain)
}

/// Pattern of files: true if a file is one of it. `*` and `?` stand for anything in a name, `**` for any folders. A pattern without a folder is
/// about names alone.
///
/// # Errors
/// It is no pattern.
pub fn matches(pattern: &str, file: &Path) -> Result<bool, String> {
    let told = |error: glob::PatternError| format!("{pattern}: {}", error.msg);
    let options = glob::MatchOptions {
        require_literal_separator: true,
        ..glob::MatchOptions::default()
    };
    let subject = if pattern.contains('/') {
        file
    } else {
        Path::new(file.file_name().unwrap_or_default())
    };
    let pattern = glob::Pattern::new(pattern).map_err(told)?;
    Ok(pattern.matches_path_with(subject, options))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns() {
        for (pattern, file, fit) in [
            ("*.c", "src/a.c", true),
            ("a*.c", "src/b.c", false),
            ("src/*.c", "src/a.c", true),
            ("src/*.c", "src/x/a.c", false),
            ("src/**/*.c", "src/x/y/a.c", true),
            ("src/**/*.c", "src/a.c", true),
            ("?.c", "ab.c", false),
        ] {
            assert_eq!(
                matches(pattern, Path::new(file)),
                Ok(fit),
                "{pattern} {file}"
            );
        }
    }

    #[test]
    fn a_database() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("compile_commands.json");
        let text = r#"[
          {"directory": "BUILD", "file": "../src/a.c", "command": "cc -DX -I../inc -O2 -c ../src/a.c -o a.o"},
          {"directory": "BUILD", "file": "../src/b.c", "arguments": ["cc", "-fpack-struct", "-c", "../src/b.c"]},
          {"directory": "BUILD", "file": "../src/c.cpp", "command": "c++ -c ../src/c.cpp"}
        ]"#;
        std::fs::write(&path, text).unwrap();
        let entries = load(&path).unwrap();
        assert_eq!(entries.len(), 2);
        assert_eq!(entries[0].file, folder.path().join("src/a.c"));
        let flags = entries[0].flags.as_ref().unwrap();
        assert_eq!(flags.defines, ["X", "__OPTIMIZE__"]);
        assert_eq!(flags.includes, [folder.path().join("BUILD/../inc")]);
        assert!(entries[1].flags.is_err());
        std::fs::write(&path, "{}").unwrap();
        assert!(load(&path).unwrap_err().contains("no compilation database"));
    }
}
