//! Folded tests: whether an iteration of a loop counts against its bound.
//!
//! A loop that is left by counting to a constant needs no bound: in each iteration a test that could leave it folds, with the
//! answer to stay. That it folds is no sign of counting where others may act and no test in the loop compares other constants
//! than in the iteration before: a failed exchange folds as long as nobody is known to store what it waits for, in passes
//! before that is known. Of one iteration alone nobody knows; it counts later, if the next one shows that nothing moves.

use crate::base::sorted::SortedMap;
use crate::exec::constants;
use crate::ir::BlockId;
use crate::term::{TermId, Terms};

/// Constants that a test has compared: for each word those that it may have been; `None` if not all are constants.
type Compared = Option<Vec<Vec<u128>>>;

/// A test in a loop, in one iteration.
struct Test {
    /// It could leave the loop.
    exits: bool,
    /// Constants that it compared when it came first.
    compared: Compared,
    /// It did not fold, then or later in the iteration.
    open: bool,
}

/// The tests in a loop, in one iteration.
#[derive(Default)]
pub(super) struct Folding {
    tests: SortedMap<BlockId, Test>,
    /// The same of the iteration before; `None` in the first one.
    before: Option<SortedMap<BlockId, Compared>>,
    /// The iteration leaves the thread as it was, so that what folds in it folds in all.
    pub repeats: bool,
    /// Iterations before that were not counted, as nobody knew.
    owed: u32,
}

impl Folding {
    /// Takes note of a test: whether it could leave the loop, the words that it depends on, and whether it folds.
    pub fn note(
        &mut self,
        terms: &Terms,
        (block, exits): (BlockId, bool),
        words: &[TermId],
        folds: bool,
    ) {
        let test = self.tests.entry(block).or_insert_with(|| Test {
            exits,
            compared: words.iter().map(|word| constants(terms, *word)).collect(),
            open: false,
        });
        test.open |= !folds;
    }

    /// True if it was open whether some test leaves.
    pub fn is_open(&self) -> bool {
        self.tests.values().any(|test| test.exits && test.open)
    }

    /// The iteration ends: how many iterations count now, and the tests of the next one. Others may act in it if it is
    /// `eventful`.
    pub fn next(self, eventful: bool) -> (u32, Folding) {
        let mut folded = self.tests.iter().filter(|(_, test)| !test.open);
        let folds = folded.clone().any(|(_, test)| test.exits);
        let moves = folded.any(|(block, test)| {
            let before = self.before.as_ref().and_then(|tests| tests.get(block));
            test.compared.is_some() && before != Some(&test.compared)
        });
        let stands = folds && eventful && !moves;
        let counts = self.repeats || !folds || stands;
        let is_unknown = !counts && eventful && self.before.is_none();
        let tests = self.tests.into_iter();
        let next = Folding {
            before: Some(tests.map(|(block, test)| (block, test.compared)).collect()),
            owed: u32::from(is_unknown),
            ..Folding::default()
        };
        let owed = if stands { self.owed } else { 0 };
        (u32::from(counts) + owed, next)
    }
}
