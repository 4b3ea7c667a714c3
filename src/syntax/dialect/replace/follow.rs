//! Declarations where older C wants a statement (C23 6.8.2), or a type.

use super::{Kind, TYPES, Walk};

/// Further words that begin a declaration, whatever follows.
const MORE: [&str; 10] = [
    "_Static_assert",
    "static_assert",
    "typeof",
    "__typeof__",
    "__typeof",
    "typeof_unqual",
    "_Atomic",
    "_Alignas",
    "alignas",
    "__auto_type",
];

/// Words before another word that are no type.
const STATEMENTS: [&str; 16] = [
    "if",
    "while",
    "for",
    "do",
    "switch",
    "return",
    "goto",
    "case",
    "else",
    "sizeof",
    "asm",
    "__asm__",
    "__asm",
    "__extension__",
    "__attribute__",
    "__attribute",
];

/// Tokens of a `case` that are looked through for its beginning.
const MOST: usize = 64;

impl Walk<'_, '_> {
    /// Labels: true if the tokens written last are a label without its colon.
    pub(super) fn ends_label(&self) -> bool {
        let [.., before, name] = self.out.as_slice() else {
            return false;
        };
        if self.depth == 0 {
            return false;
        }
        if name.kind == Kind::Word && before.is_one(&[";", "{", "}", ":"]) {
            return true;
        }
        let last = self.out.iter().rev().take(MOST);
        let mut since = last.take_while(|token| !token.is_one(&[";", "{", "}"]));
        since.any(|token| token.is("case"))
    }

    /// True if a declaration starts at `at`, and surely no expression.
    pub(super) fn declaration_follows(&self, at: usize) -> bool {
        let Some(next) = self.tokens.get(at).filter(|next| next.kind == Kind::Word) else {
            return false;
        };
        if next.is_one(&TYPES) || next.is_one(&MORE) {
            return true;
        }
        let behind = self.tokens.get(at + 1);
        let is_named = behind.is_some_and(|behind| behind.kind == Kind::Word);
        let is_pointer =
            behind.is_some_and(|behind| behind.is("*")) && self.typedefs.contains(&*next.text);
        !next.is_one(&STATEMENTS) && (is_named || is_pointer)
    }

    /// Types that are those of the values: true if the `auto` at `at` has no type beside it, and a value follows its name
    /// (C23 6.7.2).
    pub(super) fn infers(&self, at: usize) -> bool {
        const OTHERS: [&str; 4] = ["const", "volatile", "static", "register"];
        let mut before = at;
        while before > 0 && self.tokens[before - 1].is_one(&OTHERS) {
            before -= 1;
        }
        let starts = before == 0
            || self.tokens[before - 1].kind == Kind::Punctuator
            || self.tokens[before - 1].is("else");
        let mut name = at + 1;
        while self
            .tokens
            .get(name)
            .is_some_and(|token| token.is_one(&OTHERS))
        {
            name += 1;
        }
        let is_name = self
            .tokens
            .get(name)
            .is_some_and(|token| token.kind == Kind::Word && !token.is_one(&TYPES));
        starts && is_name && self.is(name + 1, "=")
    }
}
