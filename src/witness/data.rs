//! Data of witnesses, whatever their spelling.

use crate::base::DataModel;
use sha2::{Digest, Sha256};
use std::fmt::Write;

/// Witness: whom it is of, what it is about, and what it claims.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Witness {
    /// Producer, time and task.
    pub head: Head,
    /// Claim: a violation, or invariants.
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
    /// Kind: what a thread does there.
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
    /// Place at which it holds.
    pub place: Place,
    /// Expression of C.
    pub value: String,
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
pub(super) fn identifier(text: &str) -> String {
    let digest = Sha256::digest(text.as_bytes());
    let mut bytes = [0; 16];
    bytes.copy_from_slice(&digest[..16]);
    uuid::Builder::from_random_bytes(bytes)
        .into_uuid()
        .to_string()
}
