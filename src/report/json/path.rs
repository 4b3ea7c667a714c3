//! Errors in a file, each with the path of members and indices that leads to it.

use std::fmt::{self, Display};

/// Something wrong at a path.
#[derive(Debug)]
pub struct Wrong {
    /// From the outside inwards.
    path: Vec<String>,
    what: String,
}

/// Something that was read, or what is wrong with it.
pub type Found<T> = Result<T, Wrong>;

impl Wrong {
    /// Something wrong here.
    pub fn new(what: impl Into<String>) -> Wrong {
        Wrong {
            path: Vec::new(),
            what: what.into(),
        }
    }
}

impl Display for Wrong {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.path.is_empty() {
            true => f.write_str(&self.what),
            false => write!(f, "{}: {}", self.path.join("."), self.what),
        }
    }
}

/// Paths of what was found within something.
pub trait Within {
    /// The same, within a member of this name.
    fn within(self, name: impl Into<String>) -> Self;
}

impl<T> Within for Found<T> {
    fn within(self, name: impl Into<String>) -> Found<T> {
        self.map_err(|mut wrong| {
            wrong.path.insert(0, name.into());
            wrong
        })
    }
}
