//! Colours of what is printed on a terminal: of the verdict, of what is violated, and of where another thread goes on.

use anstyle::{AnsiColor, Effects, Style};
use std::io::IsTerminal;

/// Use of colours.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Color {
    /// On a terminal, unless the variable `NO_COLOR` of the environment is set to something.
    #[default]
    Auto,
    Always,
    Never,
}

impl Color {
    /// All of them.
    pub const ALL: [Color; 3] = [Color::Auto, Color::Always, Color::Never];

    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Color::Auto => "auto",
            Color::Always => "always",
            Color::Never => "never",
        }
    }

    /// True if standard output gets colours.
    pub fn is_on(self) -> bool {
        let is_unwanted = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
        match self {
            Color::Auto => std::io::stdout().is_terminal() && !is_unwanted,
            Color::Always => true,
            Color::Never => false,
        }
    }
}

const BAD: Style = AnsiColor::Red.on_default().effects(Effects::BOLD);
const GOOD: Style = AnsiColor::Green.on_default().effects(Effects::BOLD);
const OPEN: Style = AnsiColor::Yellow.on_default().effects(Effects::BOLD);
const DIM: Style = Style::new().effects(Effects::DIMMED);
const BOLD: Style = Style::new().effects(Effects::BOLD);

/// Words of the answer that have a colour.
const WORDS: [(&str, Style); 6] = [
    ("VIOLATED:", BAD),
    ("Violated:", BAD),
    ("FAILED", BAD),
    ("SUCCESSFUL", GOOD),
    ("UNKNOWN", OPEN),
    ("Counterexample:", BOLD),
];

/// The text of an answer with colours.
pub fn colored(text: &str) -> String {
    let mut colored = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        let (body, end) = match line.strip_suffix('\n') {
            Some(body) => (body, "\n"),
            None => (line, ""),
        };
        colored += &colored_line(body);
        colored += end;
    }
    colored
}

fn colored_line(line: &str) -> String {
    let styled = |text: &str, style: Style| format!("{style}{text}{style:#}");
    let is_rule = line.starts_with('-') && line.trim_end().ends_with('-');
    if is_rule {
        return styled(line, DIM);
    }
    if line.starts_with("Finding ") || line.starts_with(" where ") {
        return styled(line, BOLD);
    }
    let is_answer = line.starts_with("Check ") || line.starts_with("VERIFICATION ");
    for (word, style) in WORDS {
        let at = line.find(word);
        // A program may have such words of its own.
        let is_ours = match word {
            "VIOLATED:" => at.is_some_and(|at| line[..at].ends_with("  ")),
            "FAILED" | "SUCCESSFUL" | "UNKNOWN" => is_answer,
            _ => at == Some(0),
        };
        if let Some(at) = at.filter(|_| is_ours) {
            let (before, behind) = (&line[..at], &line[at + word.len()..]);
            return format!("{before}{}{behind}", styled(word, style));
        }
    }
    line.to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The text without colours.
    fn plain(text: &str) -> String {
        let mut plain = String::new();
        let mut rest = text;
        while let Some((before, escape)) = rest.split_once('\u{1b}') {
            plain += before;
            rest = escape.split_once('m').expect("the end of a colour").1;
        }
        plain + rest
    }

    #[test]
    fn colours_change_no_text() {
        let text = "Finding 1 of 2 (assert): assertion at a.c:1\n\
                    Counterexample: 1 thread, 1 step, 0 context switches\n\n \
                    where | main\n-------+-----\n a.c:1 | puts(\"VIOLATED: FAILED\");\n       |   VIOLATED: assertion\n\
                    Violated: assertion at a.c:1, in main\nCheck race: UNKNOWN (time)\nVERIFICATION FAILED (assertion at a.c:1)\n";
        let colored = colored(text);
        assert_eq!(plain(&colored), text);
        assert_eq!(
            colored.matches("\u{1b}[1m\u{1b}[31m").count(),
            3,
            "{colored:?}"
        );
        assert!(
            colored.contains("puts(\"VIOLATED: FAILED\");\n"),
            "{colored:?}"
        );
        assert!(
            colored.contains("\u{1b}[2m-------+-----\u{1b}[0m\n"),
            "{colored:?}"
        );
    }
}
