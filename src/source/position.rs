//! Places in files of the user, and the lines that show them.

/// A place in a file of the user; line and column count from 1, columns count characters.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Position {
    /// Name of the file, as it was given or found.
    pub file: String,
    /// Line, from 1.
    pub line: u32,
    /// Column, from 1.
    pub column: u32,
}

impl std::fmt::Display for Position {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:{}:{}", self.file, self.line, self.column)
    }
}

/// A line of the user's program around a place, to show it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Excerpt {
    pub text: String,
    /// Column (from 1, in characters) of the place in `text`, if the line still shows it (a macro may hide it).
    pub column: Option<u32>,
}
