//! Rules: kinds of violations with identifiers and descriptions, for tools that list what a program is looked at for.

use super::violation_name;
use crate::ir::{Check, Property};
use crate::trace::misaccess::Misaccess;

/// A kind of violations.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Rule {
    /// The check that it violates.
    pub check: Check,
    /// Name in verdicts.
    pub name: &'static str,
    /// Name in identifiers; empty for what is not told apart within its check.
    slug: &'static str,
    /// Description, in a sentence.
    pub about: &'static str,
}

impl Rule {
    /// The rule of a violation.
    pub fn of(property: Property, access: Option<&Misaccess>) -> Rule {
        let (check, name) = (Check::of(property), violation_name(property, access));
        let mut rules = RULES.iter();
        let found = rules.find(|rule| rule.check == check && rule.name == name);
        found.copied().unwrap_or(Rule {
            check,
            name: check.name(),
            slug: "",
            about: check.about(),
        })
    }

    /// The rules of a check.
    pub fn of_check(check: Check) -> impl Iterator<Item = Rule> {
        let rules = RULES.iter().copied();
        rules.filter(move |rule| rule.check == check)
    }

    /// Identifier, which stays the same: `memory.use-after-free`.
    pub fn id(&self) -> String {
        match self.slug {
            "" => self.check.name().to_string(),
            slug => format!("{}.{slug}", self.check.name()),
        }
    }

    /// Identifier in one word: `MemoryUseAfterFree`.
    pub fn word(&self) -> String {
        let id = self.id();
        let words = id.split(['.', '-']).map(|word| {
            let (first, rest) = word.split_at(1);
            first.to_uppercase() + rest
        });
        words.collect()
    }

    /// Advice for who has violated it.
    pub fn help(&self) -> &'static str {
        match self.check {
            Check::Memory => {
                "The execution shows where the object began and ended, and which threads moved in between. Keep the object until its \
                 last user is done (join the threads, or count references), or look at the pointer and the index before the access."
            }
            Check::Assert => {
                "The execution shows what the violated line read, and who had written that. Look for what a thread read before another \
                 one wrote it: a lock, an atomic operation or another order of steps is missing there, or the assertion asks for too much."
            }
            Check::Race => {
                "Both accesses are next, and nothing orders them. Let both threads hold one lock, make both accesses atomic, or order \
                 them (create and join threads, signal)."
            }
            Check::Deadlock => {
                "The execution ends where the threads are blocked; for each it says what it waits for, and who holds that. Take locks in \
                 one order, release them on every path, and change what a waiting thread looks at under its lock before it is signalled."
            }
            Check::Undefined | Check::Overflow => {
                "The execution shows the values that lead there. Check them before the operation, or choose a type that holds the result."
            }
            Check::Misuse => {
                "The execution shows what became of the synchronisation object or the thread before. POSIX and C11 say of each function \
                 what has to hold when it is called."
            }
            Check::Leak | Check::Cleanup => {
                "The place is that of the allocation. Free the block before the last pointer to it goes away, or before the program ends."
            }
        }
    }

    /// Level of what violates it.
    pub fn level(&self) -> &'static str {
        match self.check {
            Check::Leak | Check::Cleanup => "warning",
            _ => "error",
        }
    }
}

/// Rows of a check.
macro_rules! rules {
    ($($check:ident { $($name:literal $slug:literal $about:literal)* })*) => {
        &[$($(Rule {
            check: Check::$check,
            name: $name,
            slug: $slug,
            about: $about,
        },)*)*]
    };
}

/// All rules.
const RULES: &[Rule] = rules! {
    Memory {
        "null pointer dereference" "null-dereference" "A null pointer, or one that is little more, is dereferenced."
        "call of a null pointer" "null-call" "A function is called through a null pointer."
        "invalid pointer" "invalid-pointer" "A pointer that leads to no object is dereferenced."
        "use after free" "use-after-free" "A block of the heap is accessed after it was freed."
        "use after scope" "use-after-scope" "A variable is accessed after its scope or its thread has ended."
        "stale pointer" "stale-pointer" "An object is accessed that has ended, and at whose place another one is now."
        "out-of-bounds read" "out-of-bounds-read" "A read is not within the object that its pointer belongs to."
        "out-of-bounds write" "out-of-bounds-write" "A write is not within the object that its pointer belongs to."
        "out-of-bounds access" "out-of-bounds-access" "An access is not within the object that its pointer belongs to."
        "misaligned access" "misaligned-access" "An access is where its type may not be."
        "call of what is no function" "no-function" "A call leads to an object that is no function."
        "double free" "double-free" "A block of the heap is freed again."
        "invalid free" "invalid-free" "What is freed is no block of the heap, or not its beginning."
        "invalid access" "invalid-access" "Memory is accessed that is not there."
    }
    Assert {
        "assertion" "assertion" "An assertion does not hold."
        "reach_error() called" "reach-error" "A call that is never to be reached is reached."
    }
    Race {
        "data race" "data-race" "Two threads access the same bytes at once, one of them writes, and not both accesses are atomic."
    }
    Deadlock {
        "deadlock" "deadlock" "Threads are blocked for ever: in a circle, by nobody who is left, or spinning."
    }
    Leak {
        "memory leak" "memory-leak" "Nothing points to a block of the heap any more where the program ends."
    }
    Cleanup {
        "memory that is not freed" "not-freed" "A block of the heap is not freed where the program ends."
    }
    Overflow {
        "signed overflow" "signed-overflow" "A signed result has no value of its type."
        "overflow in division" "division-overflow" "The least number of a signed type is divided by -1."
    }
    Undefined {
        "division by zero" "division-by-zero" "An integer is divided by zero."
        "shift beyond width" "shift-beyond-width" "A shift is negative, or by the width of its type or more."
        "conversion of a number that its type does not hold" "float-conversion" "A floating-point number is converted to an integer type that does not hold it."
        "pointer leaves its object" "pointer-range" "Arithmetic moves a pointer beyond its object."
        "write to a constant object" "constant-write" "A constant object or a text is written to."
        "call of a function that has more parameters, or no result" "call" "A function is called with fewer arguments than it has parameters, or for a result that it has not."
        "array of a length that is not positive" "array-length" "An array has a length that is not positive."
        "return from a function that is declared not to" "noreturn" "A function returns that is declared not to."
        "use of the result of a function that ended without one" "missing-result" "The result of a function is used that has ended without one."
        "call through a pointer to a function of another type" "function-type" "A function is called through a pointer to a function of another type."
        "difference of pointers into different objects" "pointer-difference" "Pointers into different objects are subtracted."
        "side effects on one object without an order" "unsequenced" "Side effects on one object have no order."
        "use of a value that was never set" "indeterminate" "A value is used that was never set."
        "copy between objects that overlap" "overlap" "Bytes are copied between objects that overlap."
        "variable argument of another type" "variable-argument" "A variable argument is read with another type than its own."
        "__builtin_unreachable() reached" "builtin-unreachable" "`__builtin_unreachable()` is reached."
        "end of function without value, or unreachable code" "unreachable" "A function ends without the value that is used, or code is reached that is not to be."
    }
    Misuse {
        "use of a copied synchronisation object" "copied-object" "A copy of a synchronisation object is used."
        "use of a mutex that is not initialised" "uninitialised-mutex" "A mutex is used that nobody has initialised."
        "release of a lock that the thread does not hold" "lock-not-held" "A thread releases a lock that it does not hold."
        "use of a synchronisation object that is destroyed or not initialised" "object-not-alive" "A synchronisation object is used that is destroyed or not initialised."
        "destruction or initialisation of a synchronisation object in use" "object-in-use" "A synchronisation object is destroyed or initialised while it is used."
        "wait on a condition that others wait on with another mutex" "other-mutex" "A thread waits on a condition variable with another mutex than others do."
        "use of a key of thread-specific values that does not exist" "no-such-key" "A key of thread-specific values is used that does not exist."
        "join of a thread by itself" "join-of-itself" "A thread waits for its own end."
        "join or detachment of a thread that was joined or detached before" "thread-handle" "A thread is joined or detached that was joined or detached before."
    }
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::sorted::SortedSet;
    use crate::ir::Undefined;
    use crate::trace::misaccess::{Access, Flaw, Involved};

    #[test]
    fn every_violation_has_a_rule_of_its_own() {
        for property in Property::all() {
            let rule = Rule::of(property, None);
            assert_eq!(rule.name, violation_name(property, None), "{property:?}");
        }
        let object = |heap| Involved {
            name: String::new(),
            size_bytes: 1,
            heap,
            made: None,
            ended: None,
        };
        let accesses = [
            Access::Read(1),
            Access::Write(1),
            Access::Lock,
            Access::Call,
            Access::Free,
        ];
        let flaws = [
            Flaw::Null,
            Flaw::Wild,
            Flaw::Ended,
            Flaw::Outside(1),
            Flaw::Misaligned(1),
            Flaw::NoBlock(1),
        ];
        for (access, flaw) in accesses
            .iter()
            .flat_map(|access| flaws.map(|flaw| (*access, flaw)))
        {
            for object in [None, Some(object(false)), Some(object(true))] {
                let access = Misaccess {
                    access,
                    flaw,
                    object,
                };
                let property = Property::Defined(Undefined::InvalidAccess);
                let rule = Rule::of(property, Some(&access));
                assert_eq!(rule.name, violation_name(property, Some(&access)));
            }
        }
        let ids: SortedSet<String> = RULES.iter().map(Rule::id).collect();
        let words: SortedSet<String> = RULES.iter().map(Rule::word).collect();
        assert_eq!((ids.len(), words.len()), (RULES.len(), RULES.len()));
        assert!(ids.contains("memory.use-after-free"), "{ids:?}");
        assert!(words.contains("MemoryUseAfterFree"), "{words:?}");
    }

    #[test]
    fn all_kinds_of_undefined_behaviour_are_listed() {
        let places = Undefined::ALL.iter().map(|one| *one as usize);
        assert!(places.eq(0..Undefined::ALL.len()));
        assert_eq!(Undefined::ALL.len(), Undefined::Indeterminate as usize + 1);
    }
}
