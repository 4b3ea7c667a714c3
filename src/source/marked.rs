//! Preprocessed text with line markers, for whoever reads it elsewhere, without the files that it came from.

use super::Source;
use crate::base::Loc;
use std::fmt::Write;

impl Source {
    /// The text with a marker (`# 12 "file.c"`; `3` behind it for headers of the system) wherever lines do not follow each other
    /// in the user's files. Read again, places are the same but for columns.
    pub fn marked(&self) -> String {
        if self.is_preprocessed() {
            return self.text.clone();
        }
        let mut marked = String::with_capacity(self.text.len() + self.text.len() / 8);
        // File and line that a reader takes the next line for.
        let mut next: (String, u32) = (String::new(), 0);
        let mut start = 0;
        for line in self.text.split_inclusive('\n') {
            let blanks = line.len() - line.trim_start().len();
            let place = u32::try_from(start + blanks).ok();
            let place = place.filter(|_| blanks < line.len()).map(Loc);
            if let Some((place, position)) =
                place.and_then(|place| Some((place, self.position(place)?)))
            {
                if (&position.file, position.line) != (&next.0, next.1) {
                    let name = position.file.replace('\\', "\\\\").replace('"', "\\\"");
                    let system = if self.is_system(place) { " 3" } else { "" };
                    let _ = writeln!(marked, "# {} \"{name}\"{system}", position.line);
                }
                next = (position.file, position.line);
            }
            marked.push_str(line);
            next.1 = next.1.saturating_add(1);
            start += line.len();
        }
        marked
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::Options;

    #[test]
    fn places_are_the_same_when_the_text_is_read_again() {
        let text = "#include <assert.h>\n#define TWO 1 + \\\n 1\nint x;\n\n\nint y = TWO;\n\
            #line 70 \"other \\\"one\\\".c\"\nint z; int w;\nvoid t(void) { assert(x); }\n";
        let path = std::path::Path::new("a.c");
        let made = Source::preprocess(path, text.to_string(), &Options::default()).unwrap();
        let marked = made.marked();
        let again = Source::from_text("b.i", marked.clone());
        for name in ["x;", "y =", "z;", "w;", "t(", "1 + 1"] {
            let place = |source: &Source| {
                let at = source
                    .text
                    .rfind(name)
                    .unwrap_or_else(|| panic!("{name}: {marked}"));
                let at = Loc(u32::try_from(at).unwrap());
                let position = source.position(at).unwrap();
                (position.file, position.line, source.is_system(at))
            };
            assert_eq!(place(&made), place(&again), "{name}: {marked}");
        }
        let lines = |text: &str| text.lines().filter(|line| !line.starts_with("# ")).count();
        assert_eq!(lines(&made.text), lines(&marked));
    }
}
