//! A deliberate error, by its name.

/// A deliberate error of some stage.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Fault {
    name: &'static str,
    kind: &'static str,
}

#[cfg_attr(
    not(feature = "internals"),
    allow(dead_code, reason = "tests ask for them")
)]
impl Fault {
    /// A fault; for [`super::declare`].
    pub(crate) const fn new(name: &'static str, kind: &'static str) -> Fault {
        Fault { name, kind }
    }

    /// Its name, as the variable `SELVEDGE_FAULT` takes it.
    pub const fn name(self) -> &'static str {
        self.name
    }

    /// Name of its kind, which says what programs show it.
    pub const fn kind(self) -> &'static str {
        self.kind
    }
}
