//! Listing of the program: the files that an outcome is about, with remarks at their lines.

use crate::base::Loc;
use crate::base::sorted::{SortedMap, SortedSet};
use crate::source::place::{Places, short_file};

/// Lines up to which a file is shown as a whole.
const MOST: usize = 3000;
/// Lines of a longer one that are shown before and behind each line that is spoken of.
const AROUND: u32 = 60;

/// Files of the program, those that the user named first.
#[derive(Default)]
pub struct Listing {
    /// The files.
    pub files: Vec<File>,
}

/// A file.
pub struct File {
    /// Its name, as it was given or found.
    pub name: String,
    /// Lines that are shown, ascending.
    pub lines: Vec<Line>,
    /// Lines behind the last one that are not shown.
    pub rest: u32,
    /// False if only those lines are known that something is said of.
    pub is_whole: bool,
}

/// A line of a file.
pub struct Line {
    /// Its number, from 1.
    pub number: u32,
    /// Its text.
    pub text: String,
    /// Lines before it that are not shown.
    pub gap: u32,
    /// Remarks on it.
    pub remarks: Vec<Remark>,
}

/// A remark on a line.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Remark {
    /// Kind, for the style: `hit`, `cut`, `warning` or `fact`.
    pub kind: &'static str,
    /// Its words.
    pub words: String,
    /// Number of the finding that it is of, from 1.
    pub finding: Option<usize>,
}

/// Place in a listing: index of the file, and line.
pub type Spot = (usize, u32);

/// File, as far as it is known while places are collected.
#[derive(Default)]
struct Mentioned {
    /// A place in it.
    any: Option<Loc>,
    /// Texts of single lines.
    lines: SortedMap<u32, String>,
    remarks: SortedMap<u32, SortedSet<Remark>>,
}

impl Listing {
    /// Listing of the files of places, some of which have remarks.
    pub fn of(
        mentioned: impl Iterator<Item = (Loc, Option<Remark>)>,
        places: &dyn Places,
    ) -> Listing {
        let own = places.files();
        let rank = |name: &str| {
            let own_rank = own.iter().position(|(own, _)| own == name);
            own_rank.unwrap_or(own.len())
        };
        let mut found: SortedMap<(usize, String), Mentioned> = SortedMap::new();
        let mut seen: SortedSet<Loc> = SortedSet::new();
        for (loc, remark) in mentioned {
            if remark.is_none() && !seen.insert(loc) {
                continue;
            }
            let Some(place) = places.position(loc) else {
                continue;
            };
            let key = (rank(&place.file), place.file);
            let file = found.entry(key).or_default();
            file.any = file.any.or(Some(loc));
            let text = || places.line_text(loc).unwrap_or_default();
            file.lines.entry(place.line).or_insert_with(text);
            let remarks = remark.into_iter();
            file.remarks.entry(place.line).or_default().extend(remarks);
        }
        let files = found.into_iter();
        Listing {
            files: files
                .map(|((_, name), file)| file.shown(name, places))
                .collect(),
        }
    }

    /// Adds the files that the user named and that nothing is said of, unless they are long.
    pub fn add_own(&mut self, places: &dyn Places) {
        for (name, text) in places.files() {
            let text = text.filter(|text| text.lines().count() <= MOST);
            let is_known = self.files.iter().any(|file| file.name == name);
            let Some(text) = text.filter(|_| !is_known) else {
                continue;
            };
            let lines = (1..).zip(text.lines()).map(|(number, text)| Line {
                number,
                text: text.to_string(),
                gap: 0,
                remarks: Vec::new(),
            });
            self.files.push(File {
                name,
                lines: lines.collect(),
                rest: 0,
                is_whole: true,
            });
        }
    }

    /// Adds a remark on a line of the only file; nothing if there are several, or no such line.
    pub fn remark(&mut self, line: u32, remark: Remark) {
        if let [file] = self.files.as_mut_slice() {
            let line = file.lines.iter_mut().find(|known| known.number == line);
            if let Some(line) = line {
                line.remarks.push(remark);
            }
        }
    }

    /// Place in the listing.
    pub fn spot(&self, loc: Loc, places: &dyn Places) -> Option<Spot> {
        let place = places.position(loc)?;
        let mut files = self.files.iter();
        let file = files.position(|file| file.name == place.file)?;
        Some((file, place.line))
    }

    /// Name of a place in a few characters: its line, behind the file if there are several.
    pub fn short(&self, (file, line): Spot) -> String {
        match self.files.as_slice() {
            [_] => line.to_string(),
            files => format!("{}:{line}", short_file(&files[file].name)),
        }
    }
}

impl Mentioned {
    fn shown(self, name: String, places: &dyn Places) -> File {
        let whole = self.any.and_then(|loc| places.file_text(loc));
        // A file may have changed since it was read, or be shorter than its line numbers say.
        let whole = whole.filter(|text| {
            let all: Vec<&str> = text.lines().collect();
            let same = |(line, known): (&u32, &String)| {
                let index = (*line as usize).checked_sub(1);
                let text = index.and_then(|index| all.get(index));
                text.is_some_and(|text| text == known)
            };
            self.lines.iter().all(same)
        });
        let count = whole.as_ref().map_or(0, |text| text.lines().count());
        let is_near = |line: u32| {
            let around = line.saturating_sub(AROUND)..=line.saturating_add(AROUND);
            count <= MOST || self.lines.range(around).next().is_some()
        };
        let known: Vec<(u32, String)> = match &whole {
            Some(text) => {
                let lines = (1..).zip(text.lines());
                let near = lines.filter(|(number, _)| is_near(*number));
                near.map(|(number, text)| (number, text.to_string()))
                    .collect()
            }
            None => self.lines.into_iter().collect(),
        };
        let mut remarks = self.remarks;
        let mut before = 0;
        let lines = known.into_iter().map(|(number, text)| {
            let gap = number.saturating_sub(before + 1);
            before = number;
            let remarks = remarks.remove(&number).unwrap_or_default();
            Line {
                number,
                text,
                gap,
                remarks: remarks.into_iter().collect(),
            }
        });
        let lines: Vec<Line> = lines.collect();
        File {
            name,
            rest: (count as u32).saturating_sub(before),
            lines,
            is_whole: whole.is_some(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::Position;

    /// A file of so many lines, of which the text is at hand or not; position n is line n.
    struct Long(u32, bool);

    impl Places for Long {
        fn position(&self, loc: Loc) -> Option<Position> {
            (loc != Loc::NONE).then(|| Position {
                file: "long.c".to_string(),
                line: loc.0,
                column: 1,
            })
        }

        fn line_text(&self, loc: Loc) -> Option<String> {
            Some(format!("line {}", loc.0))
        }

        fn file_text(&self, _: Loc) -> Option<String> {
            let lines = (1..=self.0).map(|line| format!("line {line}\n"));
            self.1.then(|| lines.collect())
        }
    }

    fn listed(places: &Long, locs: &[u32]) -> (Vec<(u32, u32)>, u32, bool) {
        let locs = locs.iter().map(|line| (Loc(*line), None));
        let listing = Listing::of(locs, places);
        let [file] = listing.files.as_slice() else {
            panic!("one file");
        };
        let lines = file.lines.iter();
        assert!(
            lines
                .clone()
                .all(|line| line.text == format!("line {}", line.number))
        );
        let lines = lines.map(|line| (line.number, line.gap)).collect();
        (lines, file.rest, file.is_whole)
    }

    #[test]
    fn files_are_shown_as_far_as_they_are_known() {
        assert_eq!(
            listed(&Long(3, true), &[2]),
            (vec![(1, 0), (2, 0), (3, 0)], 0, true)
        );
        assert_eq!(
            listed(&Long(3, false), &[9, 2, 9]),
            (vec![(2, 1), (9, 6)], 0, false)
        );
        // The file is another one than that which was read.
        assert_eq!(listed(&Long(3, true), &[5]), (vec![(5, 4)], 0, false));
    }

    #[test]
    fn a_long_file_is_shown_around_what_is_spoken_of() {
        let (lines, rest, is_whole) = listed(&Long(9000, true), &[100, 5000]);
        assert!(is_whole);
        assert_eq!((lines[0], lines.len()), ((40, 39), 242));
        assert_eq!(lines[121], (4940, 4940 - 161));
        assert_eq!(rest, 9000 - 5060);
    }

    #[test]
    fn remarks_stand_at_their_lines_each_once() {
        let remark = |words: &str| Remark {
            kind: "hit",
            words: words.to_string(),
            finding: None,
        };
        let all = [
            (Loc(2), Some(remark("b"))),
            (Loc(2), None),
            (Loc(2), Some(remark("a"))),
            (Loc(2), Some(remark("b"))),
        ];
        let mut listing = Listing::of(all.into_iter(), &Long(3, true));
        listing.remark(3, remark("c"));
        listing.remark(4, remark("d"));
        let words = |line: usize| {
            let remarks = listing.files[0].lines[line].remarks.iter();
            remarks.map(|one| one.words.as_str()).collect::<Vec<_>>()
        };
        assert_eq!((words(1), words(2)), (vec!["a", "b"], vec!["c"]));
        let spot = listing.spot(Loc(2), &Long(3, true)).expect("a line");
        assert_eq!((spot, listing.short(spot)), ((0, 2), "2".to_string()));
    }
}
