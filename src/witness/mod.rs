//! Witnesses: what a violation or a proof rests on, as tools of the software-verification competition exchange it, so that any of them
//! can look whether another one is right.
//!
//! A [`Witness`] is data; [`graphml`] and [`yaml`] are two spellings of it (format 1.0 as GraphML, format 2.2 as YAML), each of which is
//! written and read in one file. Nothing here knows of programs: `trace/guide` makes the segments of an execution, and finds an execution by
//! them.

pub mod graphml;
pub mod yaml;

mod specification;

pub use specification::{properties, specification};

use crate::base::DataModel;
use sha2::{Digest, Sha256};
use std::fmt::Write;
use std::path::Path;

/// Witness: whom it is of, what it is about, and what it claims.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Witness {
    /// Producer, time and task.
    pub head: Head,
    /// What it claims.
    pub claim: Claim,
}

/// Metadata of a witness.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Head {
    /// Name and version of the tool that has made it.
    pub producer: (String, String),
    /// Date and time of its making, as of ISO 8601.
    pub time: String,
    /// Files of the program, in their order.
    pub files: Vec<InputFile>,
    /// Property, as a line of a property file, or several with blanks between them.
    pub specification: String,
    /// Widths of the basic types.
    pub model: DataModel,
}

/// File of a program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct InputFile {
    /// Name, as it was given.
    pub name: String,
    /// SHA-256 of its bytes, in hexadecimal.
    pub hash: String,
}

/// Claim of a witness.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Claim {
    /// An execution that passes these segments, in order, violates the property.
    Violation(Vec<Segment>),
    /// These conditions hold whenever a thread comes to their places.
    Correctness(Vec<Invariant>),
}

/// Segment of a violation witness: waypoints of which none comes before the others. All but those of a data race, whose last segment has
/// two targets, have one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Segment(pub Vec<Waypoint>);

/// Waypoint: something that a thread does at a place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Waypoint {
    /// What it does.
    pub kind: Kind,
    /// Where: the beginning of a statement, or the last parenthesis of a call.
    pub place: Place,
    /// Number of the thread: 0 for the first one, and others in the order of the [`Kind::Enter`] that creates them. `None` of programs
    /// with one thread.
    pub thread: Option<u32>,
    /// False of a waypoint that the execution avoids.
    pub is_followed: bool,
}

/// Kind of a waypoint.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Kind {
    /// It begins a statement, where this expression of C is true.
    Assumption(String),
    /// It enters a function: where that is `pthread_create` or its like, a thread is created, which begins with this one, if it is told.
    Enter(Option<String>),
    /// A call returns a result of which this holds, an expression over `\result`. The function's name, if it is told.
    Return(String, Option<String>),
    /// It takes a branch: `true`, `false`, or a number or `default` of a switch.
    Branch(String),
    /// It violates the property next.
    Target,
}

impl Kind {
    /// The beginning of a statement.
    pub fn begin() -> Kind {
        Kind::Assumption("1".to_string())
    }
}

/// Place in a file of the program; line and column count from 1.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Place {
    /// Name of the file.
    pub file: String,
    /// Line.
    pub line: u32,
    /// Column, in characters; `None` for the leftmost one that makes sense.
    pub column: Option<u32>,
    /// Function that it is in.
    pub function: Option<String>,
}

/// Invariant of a correctness witness.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Invariant {
    /// Head of a loop; otherwise, any statement.
    pub is_loop: bool,
    /// Where it holds.
    pub place: Place,
    /// Expression of C.
    pub value: String,
}

/// Format of a witness in a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Format {
    /// Format 1.0, as GraphML.
    GraphMl,
    /// Format 2.2, as YAML.
    Yaml,
}

impl Format {
    /// The format that the name of a file asks for.
    pub fn of(path: &Path) -> Option<Format> {
        match path.extension()?.to_str()? {
            "graphml" => Some(Format::GraphMl),
            "yml" | "yaml" => Some(Format::Yaml),
            _ => None,
        }
    }

    /// The text of a witness.
    pub fn write(self, witness: &Witness) -> String {
        match self {
            Format::GraphMl => graphml::write(witness),
            Format::Yaml => yaml::write(witness),
        }
    }

    /// Reads a witness.
    ///
    /// # Errors
    /// What is wrong with the text, or is not known here.
    pub fn read(self, text: &str) -> Result<Witness, String> {
        match self {
            Format::GraphMl => graphml::read(text),
            Format::Yaml => yaml::read(text),
        }
    }
}

/// SHA-256 of a file's bytes, in hexadecimal.
pub fn hash(bytes: &[u8]) -> String {
    hexadecimal(&Sha256::digest(bytes))
}

fn hexadecimal(bytes: &[u8]) -> String {
    let mut text = String::new();
    for byte in bytes {
        // A string takes all that is written to it.
        let _ = write!(text, "{byte:02x}");
    }
    text
}

/// Number from 128 bits that stands for a text: the same text has the same one.
fn identifier(text: &str) -> String {
    let digest = Sha256::digest(text.as_bytes());
    let mut bytes = [0; 16];
    bytes.copy_from_slice(&digest[..16]);
    uuid::Builder::from_random_bytes(bytes)
        .into_uuid()
        .to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(line: u32, column: Option<u32>, function: Option<&str>) -> Place {
        Place {
            file: "a & b.c".to_string(),
            line,
            column,
            function: function.map(str::to_string),
        }
    }

    fn of(claim: Claim) -> Witness {
        let file = |name: &str| InputFile {
            name: name.to_string(),
            hash: hash(name.as_bytes()),
        };
        Witness {
            head: Head {
                producer: ("Some \"tool\"".to_string(), "2.0".to_string()),
                time: "2026-11-28T22:13:00Z".to_string(),
                files: vec![file("a & b.c"), file("c.c")],
                specification: "CHECK( init(main()), LTL(G ! data-race) )".to_string(),
                model: DataModel::Ilp32,
            },
            claim,
        }
    }

    fn waypoint(kind: Kind, place: Place, thread: u32) -> Waypoint {
        Waypoint {
            kind,
            place,
            thread: Some(thread),
            is_followed: true,
        }
    }

    fn is_read_back(witness: &Witness) {
        for format in [Format::GraphMl, Format::Yaml] {
            let text = format.write(witness);
            assert_eq!(format.read(&text).as_ref(), Ok(witness), "{text}");
        }
    }

    #[test]
    fn violations_are_read_as_they_are_written() {
        let one =
            |kind, line, thread| Segment(vec![waypoint(kind, place(line, None, None), thread)]);
        let target = |line, thread| waypoint(Kind::Target, place(line, None, None), thread);
        let assumed = Kind::Assumption("x < 1 && y > \"\\n\"[0]".to_string());
        let segments = vec![
            one(Kind::begin(), 3, 0),
            Segment(vec![waypoint(assumed, place(4, None, Some("main")), 0)]),
            one(Kind::Branch("true".to_string()), 5, 0),
            one(Kind::Enter(None), 6, 0),
            Segment(vec![target(9, 1), target(7, 0)]),
        ];
        let mut witness = of(Claim::Violation(segments));
        is_read_back(&witness);
        // What only YAML has.
        if let Claim::Violation(segments) = &mut witness.claim {
            segments[0].0[0].place = place(3, Some(8), Some("main"));
        }
        let text = Format::Yaml.write(&witness);
        assert_eq!(Format::Yaml.read(&text).as_ref(), Ok(&witness));
    }

    #[test]
    fn invariants_are_read_as_they_are_written() {
        let invariants = [(true, 3), (false, 12)].map(|(is_loop, line)| Invariant {
            is_loop,
            place: place(line, None, Some("main")),
            value: "!(x == 1 && y < 2)".to_string(),
        });
        is_read_back(&of(Claim::Correctness(invariants.to_vec())));
    }

    #[test]
    fn the_same_witness_has_the_same_identifier() {
        let text = |line| {
            let place = place(line, None, None);
            let end = Segment(vec![waypoint(Kind::Target, place, 0)]);
            Format::Yaml.write(&of(Claim::Violation(vec![end])))
        };
        assert_eq!(text(1), text(1));
        let uuid = |text: String| {
            let line = text.lines().find(|line| line.contains("uuid"));
            line.map(str::to_string)
        };
        assert!(uuid(text(1)).is_some());
        assert_ne!(uuid(text(1)), uuid(text(2)));
    }

    #[test]
    fn waypoints_that_are_avoided_are_kept_apart() {
        let mut avoided = waypoint(Kind::begin(), place(2, None, None), 0);
        avoided.is_followed = false;
        let end = waypoint(Kind::Target, place(3, None, None), 0);
        let witness = of(Claim::Violation(vec![Segment(vec![avoided, end])]));
        let text = Format::Yaml.write(&witness);
        assert_eq!(Format::Yaml.read(&text), Ok(witness));
        let avoided = text.replace("action: follow", "action: avoid");
        assert!(Format::Yaml.read(&avoided).is_err());
    }
}
