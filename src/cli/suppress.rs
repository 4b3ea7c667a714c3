//! Files of findings that nobody wants to be told of (`--suppress FILE`): a fingerprint a line; what follows it behind a
//! blank, and lines that begin with `#`, are comments.

use super::refusal::Refusal;
use crate::base::WarningKind;
use crate::outcome::{Fingerprint, Outcome};
use crate::source::read;
use std::path::{Path, PathBuf};

/// A line with a fingerprint.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Entry {
    path: PathBuf,
    /// From 1.
    line: usize,
    pub fingerprint: Fingerprint,
}

/// The fingerprints of a file.
///
/// # Errors
/// The file cannot be read, or a line has none.
pub fn entries(path: &Path) -> Result<Vec<Entry>, Refusal> {
    let bytes = read::bytes(path).map_err(|error| Refusal::Input(error.to_string()))?;
    let text = String::from_utf8_lossy(&bytes);
    let mut entries = Vec::new();
    for (line, text) in (1..).zip(text.lines()) {
        let word = text.split_whitespace().next().unwrap_or_default();
        if word.is_empty() || word.starts_with('#') {
            continue;
        }
        let fingerprint = word.parse().map_err(|expected| {
            let place = path.display();
            Refusal::Diagnostic(format!("{place}:{line}: error: {expected}"))
        })?;
        let path = path.to_path_buf();
        entries.push(Entry {
            path,
            line,
            fingerprint,
        });
    }
    Ok(entries)
}

/// Warnings of fingerprints that no finding of an outcome has.
pub fn warnings<'a>(
    entries: &'a [Entry],
    outcome: &'a Outcome,
) -> impl Iterator<Item = String> + 'a {
    let is_met = |entry: &Entry| {
        let mut suppressed = outcome.suppressed.iter();
        suppressed.any(|finding| finding.fingerprint == entry.fingerprint)
    };
    let unmet = entries.iter().filter(move |entry| !is_met(entry));
    unmet.map(|entry| {
        let (place, line) = (entry.path.display(), entry.line);
        let fingerprint = entry.fingerprint;
        let text = format!("no finding has the fingerprint {fingerprint}");
        let text = WarningKind::UnusedSuppression.behind(&text);
        format!("{place}:{line}: warning: {text}")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_a_fingerprint_or_a_comment() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("known");
        let of = |text: &str| {
            std::fs::write(&path, text).unwrap();
            entries(&path)
        };
        let text = "# known\n\n00ff00ff00ff00ff since May\r\n\t0123456789ABCDEF\n";
        let lines: Vec<usize> = of(text).unwrap().iter().map(|entry| entry.line).collect();
        assert_eq!(lines, [3, 4]);
        for wrong in [
            "12",
            "0x23456789abcdef",
            "+123456789abcdef",
            "0123456789abcdef0",
        ] {
            let Err(Refusal::Diagnostic(text)) = of(&format!("# a\n{wrong}\n")) else {
                panic!("{wrong}");
            };
            let expected = format!(
                ":2: error: expected a fingerprint (16 hexadecimal digits), found `{wrong}`"
            );
            assert!(text.ends_with(&expected), "{text}");
        }
    }
}
