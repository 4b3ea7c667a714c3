//! Conflicts: accesses that may overlap, one of them a write, and the reason why they are no race.

use super::site::Site;
use std::sync::Arc;

/// Why accesses are no race.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Reason {
    /// One thread executes both.
    OneThread,
    /// The one thread is created behind the one access, or joined before the other.
    Ordered,
    /// Both are atomic.
    BothAtomic,
    /// Both are in atomic sections.
    Sections,
    /// Both threads hold the lock of this name, one of them alone.
    Locked(String),
    /// Both threads hold the mutex that is at a distance from what they access.
    Beside,
    /// Only the thread that made the object has pointers to it.
    Unshared,
}

impl Reason {
    /// The reason in words.
    pub fn text(&self) -> String {
        match self {
            Reason::OneThread => "one thread".into(),
            Reason::Ordered => "ordered by creation or join".into(),
            Reason::BothAtomic => "both atomic".into(),
            Reason::Sections => "both in atomic sections".into(),
            Reason::Locked(name) => format!("both hold {name}"),
            Reason::Beside => "both hold the mutex beside it".into(),
            Reason::Unshared => "not shared".into(),
        }
    }
}

/// Accesses of an object, each of the one list with each of the other, that overlap and of which one is a write.
#[derive(Clone, Debug)]
pub struct Conflict {
    /// Number of the abstract object; `None` if it may be any.
    pub object: Option<usize>,
    /// Sites that are alike in all that counts, in order.
    pub one: Arc<[Site]>,
    /// The others; the same sites if they are to be compared among themselves, and each with itself.
    pub other: Arc<[Site]>,
    /// Whether those of the one list write, and those of the other.
    pub writes: (bool, bool),
    /// The reason why they are no race, if they certainly are none.
    pub discharged: Option<Reason>,
}
