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
    pub const ALL: [Check; 8] = [
        Check::Memory,
        Check::Assert,
        Check::Race,
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
            Check::Undefined => "undefined",
            Check::Misuse => "misuse",
            Check::Leak => "leak",
            Check::Overflow => "overflow",
            Check::Cleanup => "cleanup",
        }
    }

    /// The check that a property belongs to.
    pub fn of(property: Property) -> Check {
        let why = match property {
            Property::Assertion | Property::ReachError => return Check::Assert,
            Property::Race => return Check::Race,
            Property::Lost => return Check::Leak,
            Property::Unfreed => return Check::Cleanup,
            Property::Defined(why) => why,
        };
        match why {
            Undefined::InvalidAccess
            | Undefined::InvalidFree
            | Undefined::UseAfterFree
            | Undefined::StalePointer => Check::Memory,
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

/// A set of checks.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Checks(u16);

impl Checks {
    /// Assertions alone.
    pub const ASSERT: Checks = Checks(1 << Check::Assert as u16);

    /// All of them but [`Check::Cleanup`], which most programs violate on purpose.
    pub const ALL: Checks = Checks((1 << Check::ALL.len()) - 1)
        .without(Check::Cleanup)
        .without(Check::Race);

    /// The set of these.
    pub fn of(checks: &[Check]) -> Checks {
        checks.iter().copied().collect()
    }

    /// Those that are asked for where nobody names any: all but overflow, which wraps on most machines, and leaks, which a system
    /// clears away.
    pub const DEFAULT: Checks = Checks::ALL.without(Check::Overflow).without(Check::Leak);

    /// Their names, with commas between.
    pub fn names(self) -> String {
        let names: Vec<&str> = self.iter().map(Check::name).collect();
        names.join(",")
    }

    /// Checks that lowering has to know of, because they cost instructions that it emits only where they are asked for.
    pub const LOWERED: Checks = Checks(
        1 << Check::Misuse as u16
            | 1 << Check::Overflow as u16
            | 1 << Check::Undefined as u16
            | 1 << Check::Leak as u16
            | 1 << Check::Cleanup as u16,
    );

    /// Those of the set that are in another one as well.
    pub fn and(self, others: Checks) -> Checks {
        Checks(self.0 & others.0)
    }

    /// The set without one of them.
    pub const fn without(self, check: Check) -> Checks {
        Checks(self.0 & !(1 << check as u16))
    }

    /// True if there is none.
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Membership.
    pub fn contains(self, check: Check) -> bool {
        self.0 & 1 << check as u16 != 0
    }

    /// The checks, the most serious first.
    pub fn iter(self) -> impl Iterator<Item = Check> {
        Check::ALL
            .into_iter()
            .filter(move |check| self.contains(*check))
    }
}

impl FromIterator<Check> for Checks {
    fn from_iter<T: IntoIterator<Item = Check>>(checks: T) -> Checks {
        Checks(
            checks
                .into_iter()
                .fold(0, |all, check| all | 1 << check as u16),
        )
    }
}
