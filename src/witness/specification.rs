//! Specifications of witnesses: properties as lines of property files.

use crate::ir::{Check, Checks, Property};
use crate::source::task::PropertyFile;

/// The specification that a violation of a property violates; `None` if none of the competition's is about it.
pub fn specification(property: Property) -> Option<&'static str> {
    Some(match Check::of(property) {
        Check::Assert => "CHECK( init(main()), LTL(G ! call(reach_error())) )",
        Check::Race => "CHECK( init(main()), LTL(G ! data-race) )",
        Check::Memory if Checks::FREES.asks(property) => "CHECK( init(main()), LTL(G valid-free) )",
        Check::Memory => "CHECK( init(main()), LTL(G valid-deref) )",
        Check::Leak => "CHECK( init(main()), LTL(G valid-memtrack) )",
        Check::Cleanup => "CHECK( init(main()), LTL(G valid-memcleanup) )",
        Check::Overflow => "CHECK( init(main()), LTL(G ! overflow) )",
        Check::Deadlock | Check::Undefined | Check::Misuse => return None,
    })
}

/// The property that a specification names, with line breaks or blanks between its parts.
///
/// # Errors
/// It is none that is known.
pub fn properties(specification: &str) -> Result<PropertyFile, String> {
    let parts = specification.split("CHECK").map(str::trim);
    let parts = parts.filter(|part| !part.is_empty());
    let lines: Vec<String> = parts.map(|part| format!("CHECK{part}")).collect();
    PropertyFile::parse(&lines.join("\n"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::Undefined;

    #[test]
    fn specifications_are_read_as_they_are_written() {
        let (free, deref, memtrack) = (false, false, false);
        for (property, expected) in [
            (Property::ReachError, PropertyFile::Reachability),
            (Property::Race, PropertyFile::DataRace),
            (
                Property::Defined(Undefined::InvalidAccess),
                PropertyFile::MemorySafety {
                    free,
                    deref: true,
                    memtrack,
                },
            ),
            (
                Property::Defined(Undefined::DoubleFree),
                PropertyFile::MemorySafety {
                    free: true,
                    deref,
                    memtrack,
                },
            ),
            (Property::Unfreed, PropertyFile::MemoryCleanup),
        ] {
            let text = specification(property).expect("there is one");
            assert_eq!(properties(text), Ok(expected));
        }
        assert_eq!(specification(Property::Deadlock), None);
        let both =
            "CHECK( init(main()), LTL(G valid-free) ) CHECK( init(main()), LTL(G valid-deref) )";
        let found = PropertyFile::MemorySafety {
            free: true,
            deref: true,
            memtrack,
        };
        assert_eq!(properties(both), Ok(found));
        assert!(properties("safe").is_err());
    }
}
