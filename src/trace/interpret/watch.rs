//! Objects whose lives are recorded.

use super::memory::Label;
use hashbrown::HashSet;

/// Objects whose lives are recorded, by what they are called after (functions by `None`).
#[derive(Clone, Debug, Default)]
pub enum Watch {
    #[default]
    All,
    Only(HashSet<Option<Label>>),
}

impl Watch {
    /// Restricted watch: true if machine addresses may be asked for at all, and not all lives are recorded.
    pub fn is_some(&self) -> bool {
        matches!(self, Watch::Only(labels) if !labels.is_empty())
    }

    /// True if the lives of objects with this label are recorded.
    pub fn has(&self, label: Option<Label>) -> bool {
        match self {
            Watch::All => true,
            Watch::Only(labels) => labels.contains(&label),
        }
    }
}
