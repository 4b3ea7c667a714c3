//! Value ranges of what reads return and writes store, on one level after the other.
//!
//! *Induction over time.* Executions are finite, and every read takes the initial value or an earlier write (issued, under
//! a weak memory model). So let levels count something that grows along an execution, and let an access be on level
//! i if that is at most i before it. What a read returns on a level is then one of: an initial value, what a write stores
//! on the level below, or what one stores on the same level that is before it without being counted, as in its own
//! step. What a write stores is its term over what reads return on its level. Values on level i so hold of every
//! access on level i that happens; of those that do not happen, nothing is said, and nothing that happens depends on
//! the variable of a read that does not.
//!
//! [`RangeLevels`] computes a level from the one below. Who uses it says what a level counts and why the sources of
//! reads are all there are, in which order accesses are visited, what is made of values that grow ([`RangeRule`]), and
//! when levels are enough:
//!
//! | user | levels count | sources of a read | last level |
//! |---|---|---|---|
//! | [`narrow`](super::value_range) | writes, in any order | its cells | as many as writes, or a fixed point that is widened |
//! | `relation/level.rs` | steps that write | the writes that the static order leaves | as many as steps that write, or what still changes is unknown |
//! | `scheme/mu/range.rs` | writes or clusters, whoever makes them | its cells | the last that somebody asks for; all are kept |
//!
//! Other analyses of values have no levels: `symex/grow.rs` follows sets of numbers while there are no events yet, and
//! `transition/range.rs` reads ranges off the conditions of paths.

mod evaluation;

use crate::base::IdVec;
use crate::base::id::Id;
use crate::ir::GoalKinds;
use crate::term::range::Domain;
use crate::term::{TermId, Terms, VarId};

/// Kinds of goals that are preserved: ranges hold in every execution, whatever is asked of it, and leave none out. What a step would read
/// that waits is within the range, too: it could be read by then.
pub const PRESERVES: GoalKinds = GoalKinds {
    assertions: true,
    undefined: true,
    races: true,
    ends: true,
    blocks: true,
};

/// The same of ranges on levels, by what comes before a read: they may be computed for the time when it happens, which a step that waits
/// does not.
pub const PRESERVES_ON_LEVELS: GoalKinds = GoalKinds {
    assertions: true,
    undefined: true,
    races: true,
    ends: true,
    blocks: false,
};
pub use evaluation::Evaluation;

crate::ids! {
    /// A place where values are stored: a cell of memory, which keeps what it could hold on earlier levels, or behind
    /// those a store, which has what some writes store on one level.
    RangePlace;
}

/// An access as levels see it.
pub enum RangeAccess {
    /// A read.
    Read(RangeRead),
    /// A write.
    Write(RangeWrite),
}

/// A read as levels see it.
pub struct RangeRead {
    /// First level that it can be on.
    pub least: u32,
    /// Its variable; reads of anything else are left alone.
    pub variable: TermId,
    /// Sources of its value.
    pub sources: Vec<RangeSource>,
}

/// A write as levels see it.
pub struct RangeWrite {
    /// First level that it can be on.
    pub least: u32,
    /// The condition that it happens.
    pub guard: TermId,
    /// Stored value.
    pub value: TermId,
    /// Places that may get the value.
    pub places: Vec<RangePlace>,
}

/// A source of a read's value.
#[derive(Clone, Copy)]
pub enum RangeSource {
    /// A term on this level.
    Term(TermId),
    /// Values that a place has from the level below; those that it has on this one, if a read has no source otherwise.
    Below(RangePlace),
    /// Values that were stored on this level.
    Stored(RangePlace),
}

impl RangeSource {
    fn term(&self) -> Option<TermId> {
        match self {
            RangeSource::Term(t) => Some(*t),
            _ => None,
        }
    }
}

/// Rule for values that were found on a level.
pub trait RangeRule<V> {
    /// The value of a read's variable, of which its term says what is known anyway, given what its sources have; `None`
    /// if no more is known of it.
    fn read(&mut self, var: VarId, known: V, sources: Option<V>, bits: u16) -> Option<V>;

    /// Values of a place after a write, given those before, and the join of those with the written ones.
    fn write(&self, _before: &V, after: V, _bits: u16) -> V {
        after
    }
}

/// Values of accesses on one level after the other.
pub struct RangeLevels<'a, V> {
    terms: &'a Terms,
    accesses: &'a [RangeAccess],
    /// Values of terms on this level. A variable that has not been read yet may be anything.
    pub evaluation: Evaluation<'a, V>,
    /// All reads come before all writes, and most terms are asked for: they are evaluated at once in between.
    pub reads_first: bool,
    /// Number of cells of memory.
    cells: usize,
    /// Values of places on this level; `None` if there are none.
    pub stored: IdVec<RangePlace, Option<V>>,
    /// Values of places from the level below.
    below: IdVec<RangePlace, Option<V>>,
}

impl<'a, V: Domain> RangeLevels<'a, V> {
    /// Before the first level, with so many cells of memory, whose initial values are still to be set. `roots` are
    /// further terms whose values will be asked for.
    pub fn new(
        terms: &'a Terms,
        accesses: &'a [RangeAccess],
        mut roots: Vec<TermId>,
        cells: usize,
    ) -> Self {
        let mut end = cells;
        for access in accesses {
            match access {
                RangeAccess::Read(read) => {
                    roots.extend(read.sources.iter().filter_map(|s| s.term()))
                }
                RangeAccess::Write(write) => {
                    roots.extend([write.guard, write.value]);
                    end = write
                        .places
                        .iter()
                        .fold(end, |end, place| end.max(place.index() + 1));
                }
            }
        }
        RangeLevels {
            terms,
            accesses,
            evaluation: Evaluation::new(terms, &roots),
            reads_first: false,
            cells,
            stored: (0..end).map(|_| None).collect(),
            below: IdVec::new(),
        }
    }

    /// Begins a level: what places have is from the level below from here on.
    pub fn begin(&mut self) {
        self.evaluation.begin();
        self.below = self.stored.clone();
        self.stored
            .iter_mut()
            .skip(self.cells)
            .for_each(|stored| *stored = None);
    }

    /// Computes one level more, of the accesses whose first level is at most `reach`; true if places have something else
    /// than on the level below.
    pub fn next(&mut self, reach: u32, rule: &mut impl RangeRule<V>) -> bool {
        self.begin();
        let mut sweeps = self.reads_first;
        for access in self.accesses {
            if sweeps && matches!(access, RangeAccess::Write(_)) {
                self.evaluation.sweep();
                sweeps = false;
            }
            match access {
                RangeAccess::Read(read) if self.evaluation.contains(read.variable) => {
                    self.read(read, reach, rule)
                }
                RangeAccess::Write(write) if write.least <= reach => self.write(write, rule),
                _ => {}
            }
        }
        self.stored != self.below
    }

    fn read(&mut self, read: &RangeRead, reach: u32, rule: &mut impl RangeRule<V>) {
        let Some(var) = self.terms.var_of(read.variable) else {
            return;
        };
        let bits = self.terms.bits(read.variable);
        let known = V::of(self.terms.fact(read.variable), bits);
        let sources = self
            .joined(&read.sources, bits)
            .filter(|_| read.least <= reach);
        if let Some(value) = rule.read(var, known, sources, bits) {
            self.evaluation.set(read.variable, value);
        }
    }

    fn write(&mut self, write: &RangeWrite, rule: &mut impl RangeRule<V>) {
        if self.evaluation.value(write.guard).fact().value() == Some(0) {
            return;
        }
        let bits = self.terms.bits(write.value);
        let value = self.evaluation.value(write.value);
        for &place in &write.places {
            let after = match self.stored[place] {
                None => value,
                Some(before) => match before.either(&value, bits) {
                    after if after == before => before,
                    after => rule.write(&before, after, bits),
                },
            };
            self.stored[place] = Some(after);
        }
    }

    /// Join of the values of these sources, so far on this level; `None` if there are none.
    pub fn joined(&mut self, sources: &[RangeSource], bits: u16) -> Option<V> {
        let mut all = None;
        for &source in sources {
            match source {
                RangeSource::Term(t) => join(&mut all, Some(self.evaluation.value(t)), bits),
                RangeSource::Below(place) => join(&mut all, self.below[place], bits),
                RangeSource::Stored(place) => join(&mut all, self.stored[place], bits),
            }
        }
        if all.is_none() {
            // Its thread has written it itself, maybe as one of too few steps.
            for source in sources {
                if let RangeSource::Below(place) = source {
                    join(&mut all, self.stored[*place], bits);
                }
            }
        }
        all
    }
}

/// Adds what a source has to what all before it have.
fn join<V: Domain>(all: &mut Option<V>, one: Option<V>, bits: u16) {
    *all = match (&all, one) {
        (Some(before), Some(one)) => Some(before.either(&one, bits)),
        (_, None) => return,
        (None, one) => one,
    };
}
