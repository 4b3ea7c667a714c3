//! Fingerprints: names of findings that changes elsewhere in the text leave as they are.
//!
//! What a fingerprint is made of: the check, the functions of the place and of its callers, from the start routine of the
//! thread inwards (recursion counts once), the text of the statement as the user wrote it, the place within it, and which of the equal
//! statements of its function it is. No lines, no files. The kind is not among these: what exactly is wrong with an access
//! depends on the execution that the solver happened to find. Of a data race, all this is taken of both accesses, whichever comes
//! first; of a deadlock, of all threads that are to blame, those at one place once: who else waits for them, and how many there are, depends on
//! the execution, too.

use crate::base::Loc;
use crate::base::fnv::fnv;
use crate::base::mix::mix;
use crate::base::sorted::SortedSet;
use crate::ir::{Check, Function, Program};
use crate::source::Statement;
use crate::trace::Trace;
use crate::trace::deadlock::Waiter;
use crate::trace::race::Side;
use std::fmt;
use std::str::FromStr;

/// The name of a finding: 16 hexadecimal digits.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Fingerprint(u64);

impl fmt::Display for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}

/// Digits of a fingerprint.
const DIGITS: usize = 16;

impl FromStr for Fingerprint {
    type Err = String;

    fn from_str(text: &str) -> Result<Fingerprint, String> {
        let is_number = text.len() == DIGITS && text.bytes().all(|c| c.is_ascii_hexdigit());
        let number = is_number.then(|| u64::from_str_radix(text, 16).ok());
        number.flatten().map(Fingerprint).ok_or_else(|| {
            format!("expected a fingerprint ({DIGITS} hexadecimal digits), found `{text}`")
        })
    }
}

impl Fingerprint {
    /// The fingerprint of a violation of a check at a place, which an execution shows.
    pub(crate) fn of(program: &Program, check: Check, loc: Loc, trace: &Trace) -> Fingerprint {
        let mut parts = vec![check.name().to_string()];
        if let Some(race) = trace.race() {
            let of = |side: &Side| site(program, side.loc, (&side.calls, &side.function));
            let mut sites = race.sides.each_ref().map(of);
            sites.sort();
            parts.extend(sites.concat());
        } else if let Some(deadlock) = trace.deadlock() {
            let of = |one: &Waiter| site(program, one.loc, (&one.calls, &one.function));
            let sites: SortedSet<_> = deadlock.roots().into_iter().map(of).collect();
            parts.extend(sites.into_iter().flatten());
        } else {
            let last = trace.steps.last();
            let calls = last.map_or(&[][..], |last| &last.calls);
            let own = last.map_or("", |last| &last.function);
            parts.extend(site(program, loc, (calls, own)));
        }
        let hash = fnv(parts.join("\0").bytes());
        Fingerprint(mix((hash >> 64) as u64, hash as u64))
    }
}

/// The functions that led to a place in a function, and the statement there.
fn site(program: &Program, loc: Loc, (calls, own): (&[Loc], &str)) -> Vec<String> {
    let callers = calls
        .iter()
        .filter_map(|call| function_of(program, *call))
        .map(|function| function.name.as_str());
    let mut functions: Vec<&str> = Vec::new();
    for name in callers.chain([own]) {
        if !functions.contains(&name) {
            functions.push(name);
        }
    }
    let mut parts = vec![functions.join(" ")];
    let statement = |loc| program.source.as_ref()?.statement(loc);
    if let Some(found) = statement(loc) {
        let function = program.functions.iter().find(|one| one.name == own);
        let ordinal = function.map_or(0, |function| ordinal(function, &found, statement));
        parts.extend([found.text, found.offset.to_string(), ordinal.to_string()]);
    }
    parts
}

/// Places of a function's instructions.
fn places(function: &Function) -> impl Iterator<Item = Loc> {
    let blocks = function.blocks.iter();
    let all = blocks.flat_map(|block| {
        let instrs = block.instrs.iter().map(|instr| instr.loc);
        instrs.chain([block.end_loc])
    });
    all.filter(|loc| *loc != Loc::NONE)
}

/// The function that has an instruction at a place.
fn function_of(program: &Program, loc: Loc) -> Option<&Function> {
    let mut functions = program.functions.iter();
    functions.find(|function| places(function).any(|place| place == loc))
}

/// Number of equal statements of a function before one of its statements.
fn ordinal(
    function: &Function,
    of: &Statement,
    statement: impl Fn(Loc) -> Option<Statement>,
) -> usize {
    let places: SortedSet<Loc> = places(function).collect();
    let all = places.into_iter().filter_map(statement);
    let equal = all.filter(|other| other.text == of.text);
    let before = equal.map(|other| other.start).filter(|it| *it < of.start);
    before.collect::<SortedSet<_>>().len()
}
