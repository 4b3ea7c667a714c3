//! Kinds of goals: what has to be seen of an execution to say that it violates a check.

use super::Check;

/// Set of kinds of goals: those that a program asks for, or those that a reduction preserves. A reduction preserves a kind if
/// an execution that reaches a goal of this kind is left exactly if there was one. Sets are written out kind by kind,
/// so that who adds a kind is asked by the compiler about every reduction.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GoalKinds {
    /// A condition is false at an event, and the execution may go on.
    pub assertions: bool,
    /// An event whose execution ends there: undefined behaviour, misuse, overflow.
    pub undefined: bool,
    /// Two threads stand before accesses that conflict.
    pub races: bool,
    /// A state at the program's end: blocks that are lost or not freed.
    pub ends: bool,
    /// A state that no step of some threads leaves: they wait for ever.
    pub blocks: bool,
}

impl GoalKinds {
    /// No kind.
    pub const NONE: GoalKinds = GoalKinds {
        assertions: false,
        undefined: false,
        races: false,
        ends: false,
        blocks: false,
    };

    /// Every kind.
    pub const ALL: GoalKinds = GoalKinds {
        assertions: true,
        undefined: true,
        races: true,
        ends: true,
        blocks: true,
    };

    /// The kind of a check's goals.
    pub fn of(check: Check) -> GoalKinds {
        let none = GoalKinds::NONE;
        match check {
            Check::Assert => GoalKinds {
                assertions: true,
                ..none
            },
            Check::Memory | Check::Undefined | Check::Misuse | Check::Overflow => GoalKinds {
                undefined: true,
                ..none
            },
            Check::Race => GoalKinds {
                races: true,
                ..none
            },
            Check::Deadlock => GoalKinds {
                blocks: true,
                ..none
            },
            Check::Leak | Check::Cleanup => GoalKinds { ends: true, ..none },
        }
    }

    /// True if all of `asked` are among these.
    pub const fn contain(self, asked: GoalKinds) -> bool {
        (self.assertions || !asked.assertions)
            && (self.undefined || !asked.undefined)
            && (self.races || !asked.races)
            && (self.ends || !asked.ends)
            && (self.blocks || !asked.blocks)
    }

    /// Those of either set.
    pub fn or(self, others: GoalKinds) -> GoalKinds {
        GoalKinds {
            assertions: self.assertions || others.assertions,
            undefined: self.undefined || others.undefined,
            races: self.races || others.races,
            ends: self.ends || others.ends,
            blocks: self.blocks || others.blocks,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_contains_what_it_was_made_of_and_no_other_kind() {
        let kinds = [
            Check::Assert,
            Check::Memory,
            Check::Race,
            Check::Leak,
            Check::Deadlock,
        ]
        .map(GoalKinds::of);
        for (place, kind) in kinds.iter().enumerate() {
            let others = kinds
                .iter()
                .enumerate()
                .filter(|(other, _)| *other != place);
            let others = others.fold(GoalKinds::NONE, |all, (_, other)| all.or(*other));
            assert!(kind.contain(*kind) && GoalKinds::ALL.contain(*kind));
            assert!(!others.contain(*kind) && !kind.contain(others));
            assert_eq!(others.or(*kind), GoalKinds::ALL);
        }
    }
}
