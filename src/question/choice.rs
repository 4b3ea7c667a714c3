//! Choice of the scheme that suits a program: the rule behind `auto`.
//!
//! `step` builds what every block may do at every position, `order` states which of two steps comes first and
//! which write a read takes. Where most blocks of different threads have nothing to do with each other, `order`
//! has little to decide and `step` builds all of it. Where nearly every block reads what every block of another
//! thread writes, the search of `order` grows exponentially, and `step`, in which equal blocks are one and only
//! their sequence is guessed, is faster by up to a hundred times; but only if nothing else is open than that
//! sequence: conditions multiply the states that it carries from position to position. So the rule looks at
//!
//! * the *density* of a program: for 100 pairs of blocks in open order, how many pairs of a read and a write are;
//! * whether it is *straight*: at most a quarter of its events happen on one side of a branch only;
//! * whether it *repeats* itself: at most two blocks in three differ in what they do to which cells. Litmus tests, in
//!   which each access is another one, are dense as well, but small to `order` and not to `step`, which builds every
//!   block at every position: 0.01 to 0.07 s.
//!
//! They are counted after the program was reduced: a lock that is gone is no condition.
//!
//! Measured on unrolled programs (processor seconds for the decision of one level of bounds, one run, CaDiCaL):
//!
//! | program | straight | density | `order` | `step` | `timestamp` |
//! |---|---|---|---|---|---|
//! | 300 levels of 180 competition tasks, those below left out | some | 0–60 | to 4 | 3 to > 100 times as long | as `order` |
//! | tasks with sums over inputs | no | 50–150 | 0.05, 0.06, 0.12, 3.0 | 3.3, > 4, 2.1, > 4 | as `order` |
//! | philosophers, bakery, readers and writers | no | 2–60 | to 0.4 | 10 to > 100 times as long | as `order` |
//! | ring of 3 threads, three steps a statement, 4 rounds | yes | 10 | 1.5 | > 6 | 1.8 |
//! | chain of 3 threads, a step a statement, 12 rounds | yes | 67 | 0.26 | 1.7 | 0.31 |
//! | ring of 5 threads, a step a statement, 2 rounds | yes | 50 | 0.18 | 0.05 | 0.22 |
//! | ring of 3 threads, a step a statement, 6 rounds | yes | 100 | > 6 | 0.50 | > 6 |
//! | ring of 3 threads, a step a statement, 12 rounds | yes | 100 | > 6 | 4.9 | > 6 |
//! | two threads, `i = j + 1` and `j = i + 1`, 20 rounds | yes | 200 | > 4 | 0.01–0.07 | > 4 |
//! | Fibonacci, two threads, a step a statement, 12 rounds | yes | 200 | 2.1 | 0.07 | 1.9 |
//!
//! `timestamp` was rarely better than the better of the two, and then by a third, but for one thing: with many
//! threads, an argument that counts them (eight tickets are eight numbers) takes `order` exponentially long, and
//! `timestamp` has numbers to count with. Eight threads that take tickets: `order` > 30 and 6.5, `timestamp` 3.5 and
//! 9.3; seven: 0.6 and 6.0. So it joins in where threads are many and `order` is slow.
//!
//! Beside either, somebody may *hunt* for violations where they take long: `lazy` in few rounds, with variables of few bits, and without
//! pruning ([`HUNTS`]). Its formulas are small and say little of the order of steps, so that they have a violation soon if there is one in
//! there: of safestack `order` needs 25 to more than 150 s for what `lazy` finds in 2 s, of an elimination stack of the competition with
//! eight threads more than 60 s and not 7. That it finds none says nothing, and no proof is attempted.

use super::Scheme;
use super::counts::Counts;
use crate::scheme::{lazy, order, step, timestamp};
use std::time::Duration;

/// One scheme, or two to race, and whether somebody hunts beside them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Choice {
    /// The scheme that begins.
    pub first: Scheme,
    /// The scheme that joins in.
    pub second: Option<Scheme>,
    /// Processor time that the first has for itself.
    pub head_start: Duration,
    /// Violations alone are looked for by [`HUNTS`], too, once [`BEFORE_THE_HUNT`] is over.
    pub hunts: bool,
}

/// `step` without a bound.
pub const STEP: Scheme = Scheme::Step(step::Settings { steps: None });
/// `order` with its defaults.
pub const ORDER: Scheme = Scheme::Order(order::Settings::DEFAULT);
/// `timestamp` with its defaults.
pub const TIMESTAMP: Scheme = Scheme::Timestamp(timestamp::Settings {
    guess_places: false,
});
/// From this density on, `step` begins with straight programs.
const DENSE: usize = 80;
/// From this density on, it joins in.
const MIXED: usize = 35;
/// From this number of threads on (main counts), `timestamp` joins in where `step` does not.
const MANY_THREADS: usize = 8;
/// Programs with more operations are too large for `step` to begin with them.
const MOST_OPERATIONS: usize = 4000;
/// Or to join in.
const MOST_OPERATIONS_JOINING: usize = 1500;
/// Processor time that `step` has for itself: it is rarely wrong to begin with it.
const HEAD_START_OF_STEP: Duration = Duration::from_secs(5);
/// The same of `order` if the program is straight: nine in ten programs need less.
const HEAD_START_OF_ORDER: Duration = Duration::from_secs(1);
/// The same if there are many threads.
const HEAD_START_OF_MANY: Duration = Duration::from_secs(2);
/// The same if it is not.
const LONG_HEAD_START: Duration = Duration::from_secs(3);

/// Processor time before the hunt for violations begins.
pub const BEFORE_THE_HUNT: Duration = Duration::from_secs(2);
/// Bits of most variables at first: bugs need few values, and constants that are larger keep their width.
const FEW_BITS: Option<u16> = Some(4);
/// Schemes that hunt, one after the other.
pub const HUNTS: [Scheme; 6] = [
    hunt(2, FEW_BITS),
    hunt(4, FEW_BITS),
    hunt(8, FEW_BITS),
    hunt(2, None),
    hunt(4, None),
    hunt(8, None),
];

const fn hunt(rounds: u32, bits: Option<u16>) -> Scheme {
    Scheme::Lazy(lazy::Settings::hunt(rounds, bits))
}

impl Choice {
    /// A single scheme.
    pub fn only(scheme: Scheme) -> Choice {
        Choice {
            first: scheme,
            second: None,
            head_start: Duration::ZERO,
            hunts: false,
        }
    }

    /// The schemes for a program with these counts.
    pub fn of(counts: &Counts) -> Choice {
        Choice {
            hunts: true,
            ..Choice::to_decide(counts)
        }
    }

    fn to_decide(counts: &Counts) -> Choice {
        let density = 100 * counts.sources / counts.pairs.max(1);
        let straight = 4 * counts.conditional <= counts.events;
        let repeats = 3 * counts.shapes <= 2 * counts.blocks;
        if straight && repeats && density >= DENSE && counts.operations <= MOST_OPERATIONS {
            return Choice {
                first: STEP,
                second: Some(ORDER),
                head_start: HEAD_START_OF_STEP,
                hunts: false,
            };
        }
        if density < MIXED || counts.operations > MOST_OPERATIONS_JOINING {
            if !straight || counts.threads < MANY_THREADS {
                return Choice::only(ORDER);
            }
            return Choice {
                first: ORDER,
                second: Some(TIMESTAMP),
                head_start: HEAD_START_OF_MANY,
                hunts: false,
            };
        }
        Choice {
            first: ORDER,
            second: Some(STEP),
            head_start: if straight {
                HEAD_START_OF_ORDER
            } else {
                LONG_HEAD_START
            },
            hunts: false,
        }
    }

    /// The same schemes, but the one begins that won a race on the same program within smaller bounds.
    #[must_use]
    pub fn with_experience(self, winner: Option<Scheme>) -> Choice {
        match (self.second, winner) {
            (Some(second), Some(winner)) if winner == second => Choice {
                first: second,
                second: Some(self.first),
                ..self
            },
            _ => self,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Counts of a program with this density, in percent.
    fn counts(density: usize, operations: usize) -> Counts {
        Counts {
            pairs: 200,
            sources: 2 * density,
            operations,
            blocks: 30,
            shapes: 20,
            ..Counts::default()
        }
    }

    #[test]
    fn who_begins_depends_on_density_and_size() {
        let of = |density, operations| {
            let choice = Choice::of(&counts(density, operations));
            (choice.first, choice.second)
        };
        let order = (ORDER, None);
        let (joins, begins) = ((ORDER, Some(STEP)), (STEP, Some(ORDER)));
        assert_eq!(of(0, 100), order);
        assert_eq!(of(MIXED - 1, 100), order);
        assert_eq!(of(MIXED, 100), joins);
        assert_eq!(of(DENSE - 1, MOST_OPERATIONS_JOINING), joins);
        assert_eq!(of(DENSE - 1, MOST_OPERATIONS_JOINING + 1), order);
        assert_eq!(of(DENSE, 100), begins);
        assert_eq!(of(DENSE, MOST_OPERATIONS), begins);
        assert_eq!(of(DENSE, MOST_OPERATIONS + 1), order);
        let empty = Choice::of(&Counts::default());
        let alone = Choice {
            hunts: true,
            ..Choice::only(ORDER)
        };
        assert_eq!(empty, alone);
    }

    #[test]
    fn many_threads_are_counted_by_timestamps() {
        let with = |threads, density| {
            let choice = Choice::of(&Counts {
                threads,
                ..counts(density, 100)
            });
            (choice.first, choice.second)
        };
        assert_eq!(with(MANY_THREADS - 1, 0), (ORDER, None));
        let counting = (ORDER, Some(TIMESTAMP));
        assert_eq!(with(MANY_THREADS, MIXED - 1), counting);
        assert_eq!(with(MANY_THREADS, MIXED), (ORDER, Some(STEP)));
    }

    #[test]
    fn conditions_are_for_order() {
        let with = |conditional| {
            Choice::of(&Counts {
                events: 100,
                conditional,
                ..counts(DENSE, 100)
            })
        };
        assert_eq!(with(25).first, STEP);
        let choice = with(26);
        assert_eq!((choice.first, choice.second), (ORDER, Some(STEP)));
        assert!(choice.head_start > Choice::of(&counts(MIXED, 100)).head_start);
    }

    #[test]
    fn steps_begin_where_blocks_repeat() {
        let with = |shapes| {
            Choice::of(&Counts {
                shapes,
                ..counts(DENSE, 100)
            })
        };
        assert_eq!(with(20).first, STEP);
        let choice = with(21);
        assert_eq!((choice.first, choice.second), (ORDER, Some(STEP)));
    }

    #[test]
    fn the_winner_of_a_race_begins_the_next() {
        let choice = Choice::of(&counts(MIXED, 100));
        assert_eq!(choice.with_experience(None), choice);
        assert_eq!(choice.with_experience(Some(ORDER)), choice);
        let turned = choice.with_experience(Some(STEP));
        assert_eq!((turned.first, turned.second), (STEP, Some(ORDER)));
        let alone = Choice::of(&counts(0, 100));
        assert_eq!(alone.with_experience(Some(STEP)), alone);
    }
}
