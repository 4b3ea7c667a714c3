//! All files of a program: each is a preprocessed text of its own, and their places follow each other.

use super::{Excerpt, Position, Source, Statement};
use crate::base::Loc;
use std::path::PathBuf;

/// The texts of a program's units, in the order of their places.
#[derive(Debug)]
pub struct Sources {
    /// Each with the place where it begins.
    units: Vec<(u32, Source)>,
}

impl Sources {
    /// Texts that have been parsed, one behind the other.
    pub fn new(units: Vec<Source>) -> Sources {
        let mut start = 0u32;
        let units = units.into_iter().map(|unit| {
            let own = start;
            // One more: the end of a text is a place as well.
            start = start.saturating_add(unit.parsed_bytes()).saturating_add(1);
            (own, unit)
        });
        Sources {
            units: units.collect(),
        }
    }

    /// Texts, each with the place where it begins.
    pub fn units(&self) -> impl Iterator<Item = (Loc, &Source)> {
        self.units.iter().map(|(start, unit)| (Loc(*start), unit))
    }

    /// The files that the user named.
    pub fn paths(&self) -> impl Iterator<Item = &PathBuf> {
        self.units.iter().map(|(_, unit)| &unit.path)
    }

    /// Their names, in one line.
    pub fn names(&self) -> String {
        names(self.paths())
    }

    /// File, line and column of a place; `None` for places that no text stands for.
    pub fn position(&self, loc: Loc) -> Option<Position> {
        let (unit, loc) = self.unit(loc)?;
        unit.position(loc)
    }

    /// True for places in headers that are not the user's.
    pub fn is_system(&self, loc: Loc) -> bool {
        let found = self.unit(loc);
        found.is_some_and(|(unit, loc)| unit.is_system(loc))
    }

    /// The source line of a place, from the user's file if it can still be read.
    pub fn excerpt(&self, loc: Loc) -> Option<Excerpt> {
        let (unit, loc) = self.unit(loc)?;
        unit.excerpt(loc)
    }

    /// The whole file of a place, as it stands on the disk; `None` where `#line` has other numbers for it, or it cannot be read any more.
    pub fn file_text(&self, loc: Loc) -> Option<String> {
        let (unit, loc) = self.unit(loc)?;
        unit.file_text(loc)
    }

    /// The statement of a place of the user's text.
    pub fn statement(&self, loc: Loc) -> Option<Statement> {
        let (unit, loc) = self.unit(loc)?;
        unit.statement(loc)
    }

    /// The unit of a place, and the place there.
    fn unit(&self, loc: Loc) -> Option<(&Source, Loc)> {
        if loc == Loc::NONE {
            return None;
        }
        let behind = self.units.partition_point(|(start, _)| *start <= loc.0);
        let (start, unit) = self.units.get(behind.checked_sub(1)?)?;
        Some((unit, Loc(loc.0 - start)))
    }
}

/// Names of files, in one line.
pub fn names<'p>(paths: impl IntoIterator<Item = &'p PathBuf>) -> String {
    let names = paths.into_iter().map(|path| path.display().to_string());
    names.collect::<Vec<String>>().join(", ")
}

impl From<Source> for Sources {
    fn from(source: Source) -> Sources {
        Sources::new(vec![source])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::{Edits, Options};
    use std::path::Path;

    #[test]
    fn places_of_units_follow_each_other() {
        let units = ["int x;\n", "int y;\nint z;\n"].map(|text| Source::from_text("u.i", text));
        units[0].set_edits(Edits::default(), 9);
        let sources = Sources::new(units.into());
        let starts: Vec<Loc> = sources.units().map(|(start, _)| start).collect();
        assert_eq!(starts, [Loc(0), Loc(10)]);
        let at = |loc| sources.position(Loc(loc)).map(|at| (at.line, at.column));
        assert_eq!(at(4), Some((1, 5)));
        assert_eq!(at(10 + 11), Some((2, 5)));
        assert_eq!(sources.position(Loc::NONE), None);
    }

    #[test]
    fn a_file_is_at_hand_unless_its_lines_have_other_numbers() {
        let text = |program: &str| {
            let options = Options::default();
            let unit = Source::preprocess(Path::new("a.c"), program.to_string(), &options);
            let sources = Sources::from(unit.expect("it is C"));
            let at = sources
                .units()
                .next()
                .and_then(|(_, unit)| unit.text.find('z'));
            sources.file_text(Loc(at.expect("a name") as u32))
        };
        let plain = "#define N 3\nint \\\n  z[N];\n";
        assert_eq!(text(plain).as_deref(), Some(plain));
        assert_eq!(text("#line 7 \"b.y\"\nint z;\n"), None);
    }
}
