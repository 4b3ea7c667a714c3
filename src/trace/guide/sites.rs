//! Sites: statements of the program, by which witnesses name places.

use crate::base::{Diagnostic, Loc};
use crate::source::{Position, Source, Sources};
use crate::syntax::statements::Statements;
use crate::witness::Place;
use hashbrown::HashMap;
use std::path::Path;

/// Statement of the program, by its number among those that were asked for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Site(pub u32);

/// Call in the program's text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Called {
    /// Name of the function.
    pub function: String,
    /// Its last parenthesis.
    pub place: Place,
}

/// Statements and calls of a program, found as they are asked for.
pub struct Sites<'s> {
    /// Each unit with the place where it begins.
    units: Vec<(Loc, &'s Source, Statements)>,
    places: Vec<Place>,
    numbers: HashMap<Place, Site>,
    known: HashMap<Loc, Option<Site>>,
    calls: HashMap<Loc, Option<Called>>,
}

impl<'s> Sites<'s> {
    /// Those of a program that was read.
    ///
    /// # Errors
    /// It cannot be read again.
    pub fn of(sources: &'s Sources) -> Result<Sites<'s>, Diagnostic> {
        let units = sources
            .units()
            .map(|(start, source)| Ok((start, source, Statements::of(source)?)));
        Ok(Sites {
            units: units.collect::<Result<_, Diagnostic>>()?,
            places: Vec::new(),
            numbers: HashMap::new(),
            known: HashMap::new(),
            calls: HashMap::new(),
        })
    }

    /// The statement of a place; one that is in none stands for itself, such as the end of a function.
    pub fn site(&mut self, loc: Loc) -> Option<Site> {
        if let Some(known) = self.known.get(&loc) {
            return *known;
        }
        let found = self.place_of(loc, |statements, at| statements.statement(at).unwrap_or(at));
        let found = found.map(|place| {
            let next = Site(self.places.len() as u32);
            *self.numbers.entry(place.clone()).or_insert_with(|| {
                self.places.push(place);
                next
            })
        });
        self.known.insert(loc, found);
        found
    }

    /// Beginning of a statement.
    pub fn place(&self, site: Site) -> &Place {
        &self.places[site.0 as usize]
    }

    /// The call at a place.
    pub fn call(&mut self, loc: Loc) -> Option<&Called> {
        if !self.calls.contains_key(&loc) {
            let function = self.unit(loc).and_then(|(start, _, statements)| {
                statements.call(loc.0 - start.0).map(|call| call.function)
            });
            let place = self.place_of(loc, |statements, at| {
                statements.call(at).map_or(at, |call| call.end)
            });
            let found = function
                .zip(place)
                .map(|(function, place)| Called { function, place });
            self.calls.insert(loc, found);
        }
        self.calls.get(&loc)?.as_ref()
    }

    /// Beginnings of all loops, and of `main` where there are none; true of a loop.
    pub fn heads(&self) -> Vec<(bool, Place)> {
        let mut found = Vec::new();
        for (start, _, statements) in &self.units {
            let all = statements.loops().map(|at| Loc(start.0 + at));
            let all = all.filter_map(|loc| self.place_of(loc, |_, at| at));
            found.extend(all.map(|place| (true, place)));
        }
        if found.is_empty() {
            for (start, _, statements) in &self.units {
                let first = statements.first_of("main");
                let first = first.map(|at| Loc(start.0 + at));
                let place = first.and_then(|loc| self.place_of(loc, |_, at| at));
                found.extend(place.map(|place| (false, place)));
            }
        }
        found
    }

    fn unit(&self, loc: Loc) -> Option<&(Loc, &'s Source, Statements)> {
        if loc == Loc::NONE {
            return None;
        }
        let behind = self.units.partition_point(|(start, ..)| *start <= loc);
        self.units.get(behind.checked_sub(1)?)
    }

    /// The place in the user's file of one that is found in the text of a unit.
    fn place_of(&self, loc: Loc, find: impl Fn(&Statements, u32) -> u32) -> Option<Place> {
        let (start, source, statements) = self.unit(loc)?;
        let at = find(statements, loc.0 - start.0);
        let Position { file, line, column } = source.own_position(Loc(at))?;
        Some(Place {
            file,
            line,
            column: Some(column),
            function: statements.function(at).map(str::to_string),
        })
    }
}

/// True if a place of a witness is this one of the program.
pub fn is_at(named: &Place, place: &Place) -> bool {
    let is_column = named.column.is_none() || named.column == place.column;
    named.line == place.line && is_column && is_file(&named.file, &place.file)
}

/// True if these may be names of one file: folders may differ.
fn is_file(one: &str, other: &str) -> bool {
    one == other || Path::new(one).file_name() == Path::new(other).file_name()
}
