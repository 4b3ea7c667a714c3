//! What is known of races as text: by object, which accesses conflict, those that are open first, and why others are no race.

use super::conflict::{Conflict, Reason};
use super::races::Races;
use super::site::Site;
use crate::base::Loc;
use crate::base::sorted::{SortedMap, SortedSet};
use crate::ir::Program;

/// Lines of an object that are written, of those that are open and of the others.
const MOST_LINES: usize = 100;
/// Places that are written in a line, for each side.
const MOST_PLACES: usize = 8;

/// Writes the conflicts of a program, with the places that `place` gives.
pub fn print(races: &Races, program: &Program, place: &dyn Fn(Loc) -> String) -> String {
    if let Some(why) = &races.refused {
        return format!("everything is open: {why}\n");
    }
    let mut text = String::new();
    let mut writer = Writer {
        program,
        place,
        known: SortedMap::new(),
    };
    let mut rest = &races.conflicts[..];
    while let Some(first) = rest.first() {
        let same = |conflict: &&Conflict| conflict.object == first.object;
        let length = rest.iter().take_while(same).count();
        let (own, others) = rest.split_at(length);
        let name = first.object.and_then(|object| races.names.get(object));
        text += &format!("{}\n", name.map_or("anything", String::as_str));
        for is_open in [true, false] {
            text += &writer.lines(own.iter().filter(|c| c.discharged.is_none() == is_open));
        }
        rest = others;
    }
    let open = races.open();
    let components = open.values().collect::<SortedSet<_>>().len();
    text += &format!(
        "{} of {} accesses are open, in {components} groups\n",
        open.len(),
        races.sites.len()
    );
    text
}

struct Writer<'a> {
    program: &'a Program,
    place: &'a dyn Fn(Loc) -> String,
    /// Names of sites, as far as they have been written.
    known: SortedMap<Site, String>,
}

impl Writer<'_> {
    /// Different lines of some conflicts, and how many are left out.
    fn lines<'c>(&mut self, conflicts: impl Iterator<Item = &'c Conflict>) -> String {
        let does = |writes: bool| if writes { "write" } else { "read" };
        let mut text = String::new();
        let mut seen = SortedSet::new();
        let mut left_out = 0;
        for conflict in conflicts {
            if seen.len() == MOST_LINES {
                left_out += 1;
                continue;
            }
            let why = conflict.discharged.as_ref();
            let line = format!(
                "    {} {} and {} {}: {}\n",
                does(conflict.writes.0),
                self.names(&conflict.one),
                does(conflict.writes.1),
                self.names(&conflict.other),
                why.map_or("open".into(), Reason::text)
            );
            if seen.insert(line.clone()) {
                text += &line;
            }
        }
        if left_out > 0 {
            text += &format!("    and {left_out} more\n");
        }
        text
    }

    fn names(&mut self, sites: &[Site]) -> String {
        let mut names: Vec<String> = Vec::new();
        for (number, site) in sites.iter().enumerate() {
            if names.len() == MOST_PLACES {
                names.push(format!("{} more", sites.len() - number));
                break;
            }
            let name = self.name(*site);
            if !names.contains(&name) {
                names.push(name);
            }
        }
        names.join(", ")
    }

    fn name(&mut self, site: Site) -> String {
        let function = &self.program.functions[site.function];
        let name = || match function.blocks[site.block].instrs[site.index].loc {
            Loc::NONE => format!("`{}`", function.name),
            loc => (self.place)(loc),
        };
        self.known.entry(site).or_insert_with(name).clone()
    }
}
