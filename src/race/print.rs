//! What is known of races as text: by object, which accesses conflict, and why they are no race.

use super::conflict::Conflict;
use super::races::Races;
use super::site::Site;
use crate::base::Loc;
use crate::ir::Program;
use std::collections::BTreeSet;

/// Writes the conflicts of a program, with the places that `place` gives.
pub fn print(races: &Races, program: &Program, place: &dyn Fn(Loc) -> String) -> String {
    let mut text = String::new();
    if let Some(why) = &races.refused {
        text += &format!("everything is open: {why}\n");
        return text;
    }
    let name = |site: &Site| {
        let function = &program.functions[site.function];
        match function.blocks[site.block].instrs[site.index].loc {
            Loc::NONE => format!("`{}`", function.name),
            loc => place(loc),
        }
    };
    let names = |sites: &[Site]| {
        let mut seen = BTreeSet::new();
        let names: Vec<String> = sites.iter().map(name).collect();
        let names: Vec<String> = names
            .into_iter()
            .filter(|name| seen.insert(name.clone()))
            .collect();
        names.join(", ")
    };
    let does = |writes: bool| if writes { "write" } else { "read" };
    let mut object = None;
    let mut lines = BTreeSet::new();
    for conflict in &races.conflicts {
        let Conflict {
            one,
            other,
            writes,
            discharged,
            ..
        } = conflict;
        if object != Some(conflict.object) {
            object = Some(conflict.object);
            let name = conflict.object.and_then(|object| races.names.get(object));
            text += &format!("{}\n", name.map_or("anything", String::as_str));
            lines.clear();
        }
        let why = match discharged {
            Some(reason) => reason.text(),
            None => "open".into(),
        };
        let (a, b) = (names(one), names(other));
        let (does_a, does_b) = (does(writes.0), does(writes.1));
        let line = format!("    {does_a} {a} and {does_b} {b}: {why}\n");
        if !lines.contains(&line) {
            text += &line;
            lines.insert(line);
        }
    }
    let open = races.open();
    let components = open.values().collect::<BTreeSet<_>>().len();
    text += &format!(
        "{} of {} accesses are open, in {components} groups\n",
        open.len(),
        races.sites.len()
    );
    text
}
