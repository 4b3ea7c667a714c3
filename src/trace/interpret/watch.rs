//! Objects whose lives are recorded.

use super::memory::Label;
use hashbrown::HashSet;

/// Something that matters to machine addresses alone.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Subject {
    /// Lives of the objects with this label.
    Objects(Label),
    Functions,
    /// Casts of addresses to integers: numbers lead to the objects from then on.
    Casts,
}

impl Subject {
    /// Lives of the objects that are called after this; functions have no label.
    pub fn lives(label: Option<Label>) -> Subject {
        label.map_or(Subject::Functions, Subject::Objects)
    }
}

/// Objects whose lives are recorded, and whether casts of their addresses are looked at.
#[derive(Clone, Debug, Default)]
pub enum Watch {
    /// All lives. A number leads to the objects to which a schedule has given a machine address.
    #[default]
    All,
    Only(HashSet<Subject>),
}

impl Watch {
    /// Restricted watch: true if machine addresses may be asked for at all, and not all lives are recorded.
    pub fn is_some(&self) -> bool {
        matches!(self, Watch::Only(subjects) if !subjects.is_empty())
    }

    /// True if the lives of objects with this label are recorded.
    pub fn has(&self, label: Option<Label>) -> bool {
        match self {
            Watch::All => true,
            Watch::Only(subjects) => subjects.contains(&Subject::lives(label)),
        }
    }

    /// Chosen watch: true if it is restricted and this is among it.
    pub fn asks(&self, subject: Subject) -> bool {
        matches!(self, Watch::Only(subjects) if subjects.contains(&subject))
    }

    /// Subject that is missing: true if the watch is restricted and this is not among it.
    pub fn lacks(&self, subject: Subject) -> bool {
        matches!(self, Watch::Only(subjects) if !subjects.contains(&subject))
    }
}
