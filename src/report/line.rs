//! Source lines of the steps of a counterexample.

use crate::base::Loc;
use crate::source::place::{Places, file_line};
use crate::trace::TraceStep;

/// File and line; `None` where no text stands.
pub type Line = Option<(String, u32)>;

pub fn line_of(step: &TraceStep, places: &dyn Places) -> Line {
    places
        .position(step.loc)
        .map(|place| (place.file, place.line))
}

/// The function that a step is in and the place of its call, in a few words behind others; empty if nothing has called it.
pub fn called_at(function: &str, calls: &[Loc], places: &dyn Places) -> String {
    let call = calls.last().map(|call| file_line(places, *call));
    let call = call.map(|call| format!(", in {function}, called at {call}"));
    call.unwrap_or_default()
}

/// Text of the source line of a step, and where in it the step stands.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Code {
    /// The line without indentation, comment and repeated blanks.
    text: Vec<char>,
    /// Index of the step's first character.
    at: usize,
}

/// Characters up to which a line is shown as a whole.
const LONGEST: usize = 120;

/// The source line at a place.
pub fn code(places: &dyn Places, loc: Loc) -> Code {
    let line = places.line_text(loc).unwrap_or_default();
    // A `//` within a string literal is rare, and then half a line is shown.
    let line = line.split("//").next().unwrap_or_default();
    let column = places.position(loc).map_or(1, |place| place.column);
    let before = (column as usize).saturating_sub(1);
    let mut code = Code {
        text: Vec::new(),
        at: 0,
    };
    let mut blank = false;
    for (index, c) in line.chars().enumerate() {
        if c.is_whitespace() {
            blank = true;
            continue;
        }
        if std::mem::take(&mut blank) && !code.text.is_empty() {
            code.text.push(' ');
        }
        if index <= before {
            code.at = code.text.len();
        }
        code.text.push(c);
    }
    code
}

/// The source line at a place without indentation, comment and repeated blanks; of a long one, the part that the place is in.
pub fn statement(places: &dyn Places, loc: Loc) -> String {
    code(places, loc).shown()
}

impl Code {
    /// As a whole; of a long line, the part that the step stands in.
    pub fn shown(&self) -> String {
        self.around(LONGEST)
    }

    /// The statement that the step stands in, in at most so many characters (but for a few): what is left out is a `…`.
    pub fn around(&self, most: usize) -> String {
        if self.text.len() <= most {
            return self.text.iter().collect();
        }
        let is_border = |c: &char| matches!(c, ';' | '{' | '}');
        let (before, behind) = self.text.split_at(self.at.min(self.text.len()));
        let begin = before.iter().rposition(is_border);
        let mut begin = begin.map_or(0, |index| index + 1);
        let end = behind.iter().position(is_border);
        let mut end = end.map_or(self.text.len(), |index| {
            // A semicolon belongs to its statement.
            before.len() + index + usize::from(behind[index] == ';')
        });
        // Marks and the blanks beside them take room.
        let most = most.saturating_sub(4).max(1);
        if end - begin > most {
            let is_cut = |c: &char| matches!(c, ' ' | ',' | '(');
            // Little of what stands before the step: it names what it is about itself.
            let least = before.len().saturating_sub(most / 4);
            if least > begin {
                let at = self.text[least..before.len()].iter().position(is_cut);
                begin = least + at.map_or(before.len() - least, |index| index + 1);
            }
            if begin + most < end {
                let last = begin + most;
                let from = before.len().max(begin + most / 2).min(last);
                let at = self.text[from..last].iter().rposition(is_cut);
                end = at.map_or(last, |index| from + index + 1);
            }
        }
        let part: String = self.text[begin..end].iter().collect();
        let lead = if begin > 0 { "… " } else { "" };
        let rest = if end < self.text.len() { " …" } else { "" };
        format!("{lead}{}{rest}", part.trim())
    }
}

pub fn identifiers(text: &str) -> impl Iterator<Item = &str> {
    let is_part = |c: char| c.is_alphanumeric() || c == '_' || c == '$';
    text.split(move |c: char| !is_part(c))
        .filter(|word| word.starts_with(|c: char| !c.is_ascii_digit()))
}

#[cfg(test)]
mod tests {
    use super::Code;

    fn code(text: &str, at: &str) -> Code {
        Code {
            text: text.chars().collect(),
            at: text.find(at).unwrap_or(0),
        }
    }

    #[test]
    fn a_long_line_is_cut_around_the_step() {
        let check = |text: &str, at: &str, most, expected: &str| {
            assert_eq!(code(text, at).around(most), expected, "{text}");
        };
        check("x = 1; y = 2;", "y", 20, "x = 1; y = 2;");
        check(
            "do { lock(&a); x++; unlock(&a); } while (0);",
            "x++",
            20,
            "… x++; …",
        );
        check(
            "lock(&a); if (x) { y(); z(); w(); }",
            "if",
            20,
            "… if (x) …",
        );
        check(
            "if (compare_and_exchange(&top, &first, second)) {",
            "compare",
            34,
            "if (compare_and_exchange(&top, …",
        );
        check(
            "for (int i = 0; i < 9; i++) pthread_create(&threads[i], 0, run, 0);",
            "pthread",
            31,
            "… i++) pthread_create( …",
        );
        check(
            "call(one, two, three, four, five, six, seven)",
            "four",
            20,
            "… four, five, …",
        );
        check("abcdefghijklmnopqrstuvwxyz", "k", 10, "… klmnop …");
        check("", "", 10, "");
    }

    #[test]
    fn a_short_line_is_shown_as_a_whole() {
        let text = "f(x); ".repeat(20);
        assert_eq!(code(&text, "x").shown(), text);
        let text = text + "g(y);";
        assert_eq!(code(&text, "g").shown(), "… g(y);");
    }
}
