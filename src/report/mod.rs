//! Reports for users: the verdict, what it covers, the counterexample; as text, as a page and in the formats of other tools.
//!
//! Architecture invariant: nothing here decides anything. An [`Outcome`](crate::outcome::Outcome) says it all, and the same outcome
//! gives the same bytes.

mod compare;
pub mod deadlock;
mod effect;
mod ending;
#[cfg(test)]
mod example;
mod file;
pub mod format;
pub mod html;
pub mod json;
mod junit;
mod line;
mod local;
pub mod misaccess;
mod note;
pub mod race;
mod relevant;
mod rule;
mod sarif;
pub mod save;
mod table;
pub mod text;
pub mod trace;
pub mod unwinding;
pub mod value;
mod why;

use crate::ir::{Property, Undefined};
use crate::outcome::Finding;
use crate::trace::misaccess::Misaccess;

/// Name of a property in verdicts.
pub fn property_name(property: Property) -> &'static str {
    match property {
        Property::Assertion => "assertion",
        Property::ReachError => "reach_error() called",
        Property::Race => "data race",
        Property::Deadlock => "deadlock",
        Property::Lost => "memory leak",
        Property::Unfreed => "memory that is not freed",
        Property::Defined(why) => undefined_name(why),
    }
}

/// Name of a finding in verdicts.
pub fn finding_name(finding: &Finding) -> &'static str {
    violation_name(finding.property, finding.trace.misaccess())
}

/// Name of a violation.
pub fn violation_name(property: Property, access: Option<&Misaccess>) -> &'static str {
    access.map_or_else(|| property_name(property), misaccess::kind)
}

/// Kind of undefined behaviour, in words.
pub fn undefined_name(kind: Undefined) -> &'static str {
    match kind {
        Undefined::DivisionByZero => "division by zero",
        Undefined::DivisionOverflow => "overflow in division",
        Undefined::Overflow => "signed overflow",
        Undefined::ShiftRange => "shift beyond width",
        Undefined::FloatRange => "conversion of a number that its type does not hold",
        Undefined::InvalidAccess => "invalid access",
        Undefined::PointerRange => "pointer leaves its object",
        Undefined::ReadOnly => "write to a constant object",
        Undefined::InvalidFree => "invalid free",
        Undefined::UseAfterFree | Undefined::DoubleFree => "use after free",
        Undefined::StalePointer | Undefined::StaleFree => "stale pointer",
        Undefined::CopiedObject => "use of a copied synchronisation object",
        Undefined::IndeterminateMutex => "use of a mutex that is not initialised",
        Undefined::LockNotHeld => "release of a lock that the thread does not hold",
        Undefined::ObjectNotAlive => {
            "use of a synchronisation object that is destroyed or not initialised"
        }
        Undefined::ObjectInUse => {
            "destruction or initialisation of a synchronisation object in use"
        }
        Undefined::OtherMutex => "wait on a condition that others wait on with another mutex",
        Undefined::NoSuchKey => "use of a key of thread-specific values that does not exist",
        Undefined::JoinOfItself => "join of a thread by itself",
        Undefined::ThreadHandle => {
            "join or detachment of a thread that was joined or detached before"
        }
        Undefined::Call => "call of a function that has more parameters, or no result",
        Undefined::ArrayLength => "array of a length that is not positive",
        Undefined::Returns => "return from a function that is declared not to",
        Undefined::MissingResult => "use of the result of a function that ended without one",
        Undefined::FunctionType => "call through a pointer to a function of another type",
        Undefined::PointerDifference => "difference of pointers into different objects",
        Undefined::Unsequenced => "side effects on one object without an order",
        Undefined::Indeterminate => "use of a value that was never set",
        Undefined::Overlap => "copy between objects that overlap",
        Undefined::VariableArgument => "variable argument of another type",
        Undefined::BuiltinUnreachable => "__builtin_unreachable() reached",
        Undefined::Unreachable => "end of function without value, or unreachable code",
    }
}

#[cfg(test)]
mod sample;
