//! Choice of the user when something is shown.

/// Use of the progress line.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum When {
    /// On a terminal that can do more than append lines, unless the user wants quiet.
    #[default]
    Auto,
    Always,
    Never,
}

impl When {
    /// All of them.
    pub const ALL: [When; 3] = [When::Auto, When::Always, When::Never];

    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            When::Auto => "auto",
            When::Always => "always",
            When::Never => "never",
        }
    }
}
