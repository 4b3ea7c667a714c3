//! Macros as they are defined.

use super::token::{Name, Token};

/// A macro.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Macro {
    Builtin(Builtin),
    User(Definition),
}

/// Macros whose value depends on where they are used.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Builtin {
    Line,
    File,
    BaseFile,
    FileName,
    IncludeLevel,
    Counter,
    Date,
    Time,
    Timestamp,
    Pragma,
    /// Only of use in `#if`.
    HasInclude,
    HasIncludeNext,
    HasAttribute,
    HasFunction,
    /// `__has_c_attribute`.
    HasStandard,
    HasOther,
}

/// Names of the built-in macros.
pub(super) const BUILTINS: [(&str, Builtin); 19] = [
    ("__LINE__", Builtin::Line),
    ("__FILE__", Builtin::File),
    ("__BASE_FILE__", Builtin::BaseFile),
    ("__FILE_NAME__", Builtin::FileName),
    ("__INCLUDE_LEVEL__", Builtin::IncludeLevel),
    ("__COUNTER__", Builtin::Counter),
    ("__DATE__", Builtin::Date),
    ("__TIME__", Builtin::Time),
    ("__TIMESTAMP__", Builtin::Timestamp),
    ("_Pragma", Builtin::Pragma),
    ("__has_include", Builtin::HasInclude),
    ("__has_include_next", Builtin::HasIncludeNext),
    ("__has_attribute", Builtin::HasAttribute),
    ("__has_builtin", Builtin::HasFunction),
    ("__has_c_attribute", Builtin::HasStandard),
    ("__has_cpp_attribute", Builtin::HasOther),
    ("__has_feature", Builtin::HasOther),
    ("__has_extension", Builtin::HasOther),
    ("__has_warning", Builtin::HasOther),
];

/// Those of [`BUILTINS`] that GNU C does not have: they are functions of `#if`, but not defined.
pub(super) const FOREIGN: [&str; 3] = ["__has_feature", "__has_extension", "__has_warning"];

/// A definition of the program.
#[derive(Clone, Debug)]
pub(super) struct Definition {
    /// Parameters of a function-like macro.
    pub parameters: Option<Vec<Name>>,
    /// The last parameter takes all further arguments.
    pub variadic: bool,
    pub body: Vec<Piece>,
}

impl PartialEq for Definition {
    /// Valid redefinition: true if one may repeat the other (C11 6.10.3 §1).
    fn eq(&self, other: &Definition) -> bool {
        self.parameters == other.parameters
            && self.variadic == other.variadic
            && same(&self.body, &other.body)
    }
}

fn same(one: &[Piece], other: &[Piece]) -> bool {
    one.len() == other.len()
        && one.iter().zip(other).enumerate().all(|(at, (a, b))| {
            a.token.name == b.token.name
                && (at == 0 || a.token.space == b.token.space)
                && a.pasted == b.pasted
                && match (&a.what, &b.what) {
                    (What::Optional(a), What::Optional(b)) => same(a, b),
                    (a, b) => a == b,
                }
        })
}

/// A piece of a macro's body.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Piece {
    pub what: What,
    /// The token as it stands in the body.
    pub token: Token,
    /// `##` follows.
    pub pasted: bool,
}

/// Meaning of a piece: what it becomes in the expansion.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum What {
    Token,
    /// An argument, by the number of its parameter.
    Argument(usize),
    /// An argument as a string.
    Text(usize),
    /// `__VA_OPT__`: these pieces if there are variable arguments.
    Optional(Vec<Piece>),
}
