//! Checks: groups of properties that are asked for together, and sets of them.

use super::{Property, Undefined};

/// A group of properties that can be asked for. In the order of their seriousness.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Check {
    /// Every access and every `free` is of memory that is there.
    Memory,
    /// No assertion fails, and `reach_error()` is not called.
    Assert,
    /// No two threads access the same bytes at once, one of them writing, unless both accesses are atomic.
    Race,
    /// No thread waits for ever for what nobody does any more.
    Deadlock,
    /// Nothing else is undefined that one thread does.
    Undefined,
    /// Functions of threads are called as POSIX and C11 allow it.
    Misuse,
    /// No memory is lost: blocks that nothing points to any more where the program ends.
    Leak,
    /// Every signed result has a value of its type.
    Overflow,
    /// All memory is freed where the program ends.
    Cleanup,
}

impl Check {
    /// All checks, the most serious first.
    pub const ALL: [Check; 9] = [
        Check::Memory,
        Check::Assert,
        Check::Race,
        Check::Deadlock,
        Check::Undefined,
        Check::Misuse,
        Check::Leak,
        Check::Overflow,
        Check::Cleanup,
    ];

    /// The name on the command line and in reports.
    pub fn name(self) -> &'static str {
        match self {
            Check::Memory => "memory",
            Check::Assert => "assert",
            Check::Race => "race",
            Check::Deadlock => "deadlock",
            Check::Undefined => "undefined",
            Check::Misuse => "misuse",
            Check::Leak => "leak",
            Check::Overflow => "overflow",
            Check::Cleanup => "cleanup",
        }
    }

    /// What violates it, in a line.
    pub(crate) fn about(self) -> &'static str {
        match self {
            Check::Memory => {
                "memory that is not there is accessed; free or realloc of what is no block"
            }
            Check::Assert => "an assertion fails, or reach_error() is called",
            Check::Race => {
                "two threads access the same bytes at once, one of them writing, not both atomically"
            }
            Check::Deadlock => {
                "threads are blocked for ever: in a circle, by nobody who is left, or spinning"
            }
            Check::Undefined => {
                "division by zero, values that were never set, and what else is undefined in one thread"
            }
            Check::Misuse => "functions of threads are called as POSIX and C11 do not allow it",
            Check::Leak => "memory is lost: nothing points to it any more where the program ends",
            Check::Overflow => "a signed result has no value of its type",
            Check::Cleanup => "memory is not freed where the program ends",
        }
    }

    /// The check that a property belongs to.
    pub fn of(property: Property) -> Check {
        let why = match property {
            Property::Assertion | Property::ReachError => return Check::Assert,
            Property::Race => return Check::Race,
            Property::Deadlock => return Check::Deadlock,
            Property::Lost => return Check::Leak,
            Property::Unfreed => return Check::Cleanup,
            Property::Defined(why) => why,
        };
        match why {
            Undefined::InvalidAccess
            | Undefined::InvalidFree
            | Undefined::UseAfterFree
            | Undefined::StalePointer
            | Undefined::DoubleFree
            | Undefined::StaleFree => Check::Memory,
            Undefined::CopiedObject
            | Undefined::IndeterminateMutex
            | Undefined::JoinOfItself
            | Undefined::LockNotHeld
            | Undefined::NoSuchKey
            | Undefined::ObjectInUse
            | Undefined::ObjectNotAlive
            | Undefined::OtherMutex
            | Undefined::ThreadHandle => Check::Misuse,
            Undefined::Overflow | Undefined::DivisionOverflow => Check::Overflow,
            Undefined::DivisionByZero
            | Undefined::ShiftRange
            | Undefined::FloatRange
            | Undefined::PointerRange
            | Undefined::ReadOnly
            | Undefined::Unreachable
            | Undefined::BuiltinUnreachable
            | Undefined::VariableArgument
            | Undefined::Call
            | Undefined::ArrayLength
            | Undefined::Returns
            | Undefined::MissingResult
            | Undefined::FunctionType
            | Undefined::Overlap
            | Undefined::PointerDifference
            | Undefined::Unsequenced
            | Undefined::Indeterminate => Check::Undefined,
        }
    }
}

/// A set of checks. Of [`Check::Memory`], it may have one of two parts alone, as property files ask for them; they have no
/// names, and what is found belongs to the check.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Checks(u16);

impl Checks {
    /// Assertions alone.
    pub const ASSERT: Checks = Checks::whole(Check::Assert);

    /// The part of [`Check::Memory`] that is about accesses (`valid-deref`).
    pub const ACCESSES: Checks = Checks(1 << Check::Memory as u16);

    /// The part of [`Check::Memory`] that is about `free` and `realloc` (`valid-free`).
    pub const FREES: Checks = Checks(1 << Check::ALL.len());

    /// All of them but [`Check::Cleanup`], which most programs violate on purpose.
    pub const ALL: Checks = Checks((1 << (Check::ALL.len() + 1)) - 1).without(Check::Cleanup);

    /// One check, with all its parts.
    const fn whole(check: Check) -> Checks {
        match check {
            Check::Memory => Checks::ACCESSES.or(Checks::FREES),
            _ => Checks(1 << check as u16),
        }
    }

    /// The set of these.
    pub fn of(checks: &[Check]) -> Checks {
        checks.iter().copied().collect()
    }

    /// Those that are asked for where nobody names any: all but overflow, which wraps on most machines, and leaks, which a system
    /// clears away.
    pub const DEFAULT: Checks = Checks::ALL.without(Check::Overflow).without(Check::Leak);

    /// Their names, with commas between; see [`Checks::is_named`].
    pub fn names(self) -> String {
        let names: Vec<&str> = self.iter().map(Check::name).collect();
        names.join(",")
    }

    /// Checks that lowering has to know of, because they cost instructions that it emits only where they are asked for.
    pub const LOWERED: Checks = Checks::whole(Check::Misuse)
        .or(Checks::whole(Check::Overflow))
        .or(Checks::whole(Check::Undefined))
        .or(Checks::whole(Check::Deadlock))
        .or(Checks::whole(Check::Leak))
        .or(Checks::whole(Check::Cleanup));

    /// Those of either set.
    pub const fn or(self, others: Checks) -> Checks {
        Checks(self.0 | others.0)
    }

    /// Those of the set that are in another one as well.
    pub fn and(self, others: Checks) -> Checks {
        Checks(self.0 & others.0)
    }

    /// The set without one of them.
    pub const fn without(self, check: Check) -> Checks {
        Checks(self.0 & !Checks::whole(check).0)
    }

    /// True if there is none.
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Membership of a check, or of a part of it.
    pub fn contains(self, check: Check) -> bool {
        !self.and(Checks::whole(check)).is_empty()
    }

    /// Membership of the check, or of the part, that a property belongs to.
    pub fn asks(self, property: Property) -> bool {
        let of = match (Check::of(property), property) {
            (
                Check::Memory,
                Property::Defined(
                    Undefined::InvalidFree | Undefined::DoubleFree | Undefined::StaleFree,
                ),
            ) => Checks::FREES,
            (Check::Memory, _) => Checks::ACCESSES,
            (check, _) => Checks::whole(check),
        };
        !self.and(of).is_empty()
    }

    /// True if its checks are whole, so that their names stand for the set.
    pub fn is_named(self) -> bool {
        self.iter().collect::<Checks>() == self
    }

    /// The checks of which it has some part, the most serious first.
    pub fn iter(self) -> impl Iterator<Item = Check> {
        Check::ALL
            .into_iter()
            .filter(move |check| self.contains(*check))
    }
}

impl FromIterator<Check> for Checks {
    fn from_iter<T: IntoIterator<Item = Check>>(checks: T) -> Checks {
        let each = checks.into_iter().map(Checks::whole);
        each.fold(Checks::default(), Checks::or)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_parts_of_a_check_are_the_check() {
        let memory = Checks::of(&[Check::Memory]);
        assert_eq!(Checks::FREES.or(Checks::ACCESSES), memory);
        assert!(memory.is_named() && Checks::ALL.is_named() && !Checks::ALL.is_empty());
        assert!(memory.without(Check::Memory).is_empty());
        for part in [Checks::FREES, Checks::ACCESSES] {
            assert!(!part.is_named() && part.contains(Check::Memory));
            assert_eq!(part.and(memory), part);
            assert_eq!(part.names(), "memory");
        }
    }

    #[test]
    fn a_part_asks_for_what_ends_at_its_instructions() {
        let frees = [
            Undefined::InvalidFree,
            Undefined::DoubleFree,
            Undefined::StaleFree,
        ];
        let accesses = [
            Undefined::InvalidAccess,
            Undefined::UseAfterFree,
            Undefined::StalePointer,
        ];
        for (part, own, others) in [
            (Checks::FREES, frees, accesses),
            (Checks::ACCESSES, accesses, frees),
        ] {
            assert!(own.iter().all(|why| part.asks(Property::Defined(*why))));
            assert!(!others.iter().any(|why| part.asks(Property::Defined(*why))));
            assert!(!part.asks(Property::Assertion) && !part.asks(Property::Lost));
        }
    }
}
