//! Response files: a word `@FILE` of a command line stands for the words in the file, as a shell splits them.

use crate::source::read;
use std::ffi::OsString;
use std::path::Path;

/// Response files within others.
const DEPTH: usize = 8;

/// The words of a command line, the first of which is the program's name, with those of response files in their places. A word `--` ends
/// them.
///
/// # Errors
/// A file cannot be read, or is no text.
pub fn expanded(words: Vec<OsString>) -> Result<Vec<OsString>, String> {
    let mut all = Vec::new();
    expand(words, DEPTH, &mut all)?;
    Ok(all)
}

fn expand(words: Vec<OsString>, depth: usize, all: &mut Vec<OsString>) -> Result<(), String> {
    let mut words = words.into_iter();
    while let Some(word) = words.next() {
        if word == "--" {
            all.push(word);
            all.extend(words);
            return Ok(());
        }
        let Some(file) = word.to_str().and_then(|word| word.strip_prefix('@')) else {
            all.push(word);
            continue;
        };
        if depth == 0 {
            return Err(format!(
                "@{file}: response files name each other without end"
            ));
        }
        let bytes = read::bytes(Path::new(file)).map_err(|error| error.to_string())?;
        let text = String::from_utf8(bytes).map_err(|_| format!("{file}: this is no text"))?;
        let inner = shell_words::split(&text).map_err(|error| format!("{file}: {error}"))?;
        expand(
            inner.into_iter().map(OsString::from).collect(),
            depth - 1,
            all,
        )?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_files() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        let inner = path("inner");
        std::fs::write(path("outer"), format!("a.c 'b c.c'\n@{}", inner.display())).unwrap();
        std::fs::write(&inner, "--unwind 2").unwrap();
        let at = |name: &str| OsString::from(format!("@{}", path(name).display()));
        let words = vec!["selvedge".into(), at("outer"), "--".into(), "@not".into()];
        let expected = ["selvedge", "a.c", "b c.c", "--unwind", "2", "--", "@not"];
        assert_eq!(expanded(words).unwrap(), expected);
        std::fs::write(&inner, format!("@{}", inner.display())).unwrap();
        assert!(
            expanded(vec![at("inner")])
                .unwrap_err()
                .contains("without end")
        );
        assert!(expanded(vec![at("none")]).is_err());
    }
}
