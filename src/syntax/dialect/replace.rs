//! Rewritings that look at one token and its brackets: a single walk over the program.

mod follow;
mod standard;
mod types;

use std::borrow::Cow;

use hashbrown::HashSet;
use rustc_hash::FxBuildHasher;

use super::super::nesting::partners;
use super::super::token::{Kind, Pack, Token};
use super::insert::{attribute, insert, insert_all};
use crate::base::Diagnostic;
use crate::source::{escape_name, has_escape};

/// Attributes that change a layout, what runs, or which definition counts; all others say nothing that matters here and are dropped, since
/// the parser does not accept them everywhere.
const MEANINGFUL: [&str; 14] = [
    "alias",
    "packed",
    "aligned",
    "mode",
    "vector_size",
    "weak",
    "gnu_inline",
    "transparent_union",
    "scalar_storage_order",
    "cleanup",
    "constructor",
    "destructor",
    "assume",
    "selvedge_constexpr",
];

/// Types and qualifiers that may begin a declaration.
const TYPES: [&str; 20] = [
    "void", "char", "short", "int", "long", "float", "double", "signed", "unsigned", "_Bool",
    "struct", "union", "enum", "const", "volatile", "static", "extern", "register", "auto",
    "typedef",
];

/// One walk: everything read so far is in `out`.
struct Walk<'a, 'p> {
    tokens: Vec<Token<'a>>,
    partner: Vec<usize>,
    out: Vec<Token<'a>>,
    /// Braces around the current token.
    depth: usize,
    /// True if a 128-bit integer type occurs.
    wide: bool,
    /// Names that some `typedef` declares.
    typedefs: HashSet<String, FxBuildHasher>,
    packs: &'p [Pack],
}

/// Applies all rules of this file.
pub(super) fn replace<'a>(
    tokens: Vec<Token<'a>>,
    packs: &[Pack],
) -> Result<Vec<Token<'a>>, Diagnostic> {
    let partner = partners(&tokens);
    let typedefs = typedefs(&tokens, &partner);
    let mut walk = Walk {
        out: Vec::with_capacity(tokens.len()),
        tokens,
        partner,
        depth: 0,
        wide: false,
        typedefs,
        packs,
    };
    walk.check_names()?;
    walk.range(0, walk.tokens.len());
    let mut out = walk.out;
    if walk.wide {
        // match: __int128 anywhere
        // result: a prologue that defines the two types by their width
        let prologue = "typedef int __int128_t __attribute__ ( ( mode ( TI ) ) ) ; \
                        typedef unsigned int __uint128_t __attribute__ ( ( mode ( TI ) ) ) ;";
        out = insert_all(prologue, 0).chain(out).collect();
    }
    Ok(out)
}

impl<'a> Walk<'a, '_> {
    /// The names that stand for others must not be the user's own.
    fn check_names(&self) -> Result<(), Diagnostic> {
        if !self.tokens.iter().any(is_foreign) {
            return Ok(());
        }
        match self
            .tokens
            .iter()
            .find(|token| token.kind == Kind::Word && has_escape(&token.text))
        {
            None => Ok(()),
            Some(token) => Err(Diagnostic::new(
                token.loc(),
                "this name cannot stand beside names with `$` or letters beyond ASCII",
            )),
        }
    }

    fn is(&self, at: usize, text: &str) -> bool {
        self.tokens.get(at).is_some_and(|token| token.is(text))
    }

    /// Rewrites the tokens from `at` to before `end`.
    fn range(&mut self, mut at: usize, end: usize) {
        while at < end {
            at = self.step(at, end);
        }
    }

    /// Rewrites what starts at `at`; returns where to go on.
    fn step(&mut self, at: usize, end: usize) -> usize {
        match self.tokens[at].kind {
            Kind::Word => self.word(at, end),
            Kind::Text => {
                let mut token = self.tokens[at].clone();
                if let Some(text) = plain_escapes(&token.text) {
                    token.text = Cow::Owned(text);
                }
                self.out.push(token);
                at + 1
            }
            Kind::Punctuator => self.punctuator(at),
            Kind::Number => {
                // match: 1'000
                // result: 1000
                let mut token = self.tokens[at].clone();
                if token.text.contains('\'') {
                    token.text = Cow::Owned(token.text.replace('\'', ""));
                }
                self.out.push(token);
                at + 1
            }
        }
    }

    fn copy(&mut self, at: usize) -> usize {
        self.out.push(self.tokens[at].clone());
        at + 1
    }

    /// Copies a token under another spelling.
    fn respell(&mut self, at: usize, text: &'static str) -> usize {
        self.out
            .push(insert(Kind::Word, text, self.tokens[at].origin));
        at + 1
    }

    fn push_all(&mut self, texts: &'static str, origin: u32) {
        self.out.extend(insert_all(texts, origin));
    }

    fn word(&mut self, at: usize, end: usize) -> usize {
        let origin = self.tokens[at].origin;
        let parenthesis = self.is(at + 1, "(").then(|| self.partner[at + 1]);
        match (&*self.tokens[at].text, parenthesis) {
            ("u8", None) if self.opens_character(at) => {
                // match: u8'c'
                // result: ((unsigned char)'c')
                self.push_all("( ( unsigned char )", origin);
                self.step(at + 1, end);
                self.push_all(")", origin);
                at + 2
            }
            ("__thread", _) => self.respell(at, "_Thread_local"),
            ("__extension__", _) => at + 1,
            ("__float128", _) => self.respell(at, "_Float128"),
            ("__const__", _) => self.respell(at, "const"),
            (
                "typeof" | "__typeof__" | "__typeof" | "typeof_unqual" | "__typeof_unqual__"
                | "__typeof_unqual",
                Some(close),
            ) if self.ends_as_type(at + 2, close) => {
                if self.tokens[at].text.contains("unqual") {
                    attribute(&mut self.out, "__selvedge_unqualified__", origin);
                }
                self.push_all("__typeof__ (", origin);
                self.typeof_operand(at + 2, close);
                self.copy(close)
            }
            ("typeof_unqual" | "__typeof_unqual__" | "__typeof_unqual", Some(_)) => {
                attribute(&mut self.out, "__selvedge_unqualified__", origin);
                self.respell(at, "__typeof__")
            }
            ("static_assert", Some(close)) if self.is(close + 1, ";") => {
                self.static_assert(at, close)
            }
            ("_Static_assert", Some(close)) => self.static_assert(at, close),
            ("__alignof__" | "__alignof" | "_Alignof" | "alignof", Some(close)) => {
                // match: __alignof__(x), for a type or an expression
                // result: _Alignof(__typeof__(x)), with a mark that says what was asked
                self.push_all("_Alignof (", origin);
                if self.tokens[at].is_one(&["__alignof__", "__alignof"]) {
                    attribute(&mut self.out, "__selvedge_preferred__", origin);
                }
                if !self.starts_with_typeof(at + 2) {
                    attribute(&mut self.out, "__selvedge_operand__", origin);
                }
                if self.starts_with_typeof(at + 2) {
                    self.range(at + 2, close)
                } else {
                    self.type_of(at + 2, close)
                }
                self.push_all(")", self.tokens[close].origin);
                close + 1
            }
            ("typeof" | "__typeof__" | "__typeof", Some(close))
                if self.is_type_of(at + 2, close) =>
            {
                // match: typeof(typeof(x))
                // result: typeof(x)
                self.range(at + 2, close);
                close + 1
            }
            ("__attribute__" | "__attribute", Some(close)) => {
                if self.is_meaningful(at + 1, close) {
                    self.respell(at, "__attribute__");
                    // The parser wants the two parentheses side by side.
                    let first = self.out.len();
                    self.range(at + 1, close + 1);
                    for (parenthesis, offset) in self.out[first..].iter_mut().take(2).zip(13..) {
                        parenthesis.origin = origin + offset;
                    }
                }
                close + 1
            }
            ("struct" | "union" | "enum", None)
                if self.is_attribute(at + 1) || self.is_standard_attribute(at + 1) =>
            {
                self.attributed_type(at)
            }
            ("_Alignas" | "alignas", Some(close)) => self.alignas(at, close),
            ("__auto_type" | "auto", None)
                if self.tokens[at].is("__auto_type") || self.infers(at) =>
            {
                // match: __auto_type x = e; auto x = e;
                // result: a declaration of `int` with a mark that says so
                attribute(&mut self.out, "__selvedge_auto__", origin);
                self.push_all("int", origin);
                at + 1
            }
            ("__alignof__" | "__alignof", None) => {
                // match: __alignof__ x
                // result: _Alignof(__typeof__(x))
                let operand = self.unary_end(at + 1, end);
                if operand == at + 1 {
                    return self.copy(at);
                }
                self.push_all("_Alignof (", origin);
                attribute(&mut self.out, "__selvedge_preferred__", origin);
                attribute(&mut self.out, "__selvedge_operand__", origin);
                self.push_all("__typeof__ (", origin);
                self.range(at + 1, operand);
                self.push_all(") )", origin);
                operand
            }
            ("sizeof", Some(close)) if self.is(close + 1, "{") => {
                // match: sizeof (T){…}
                // result: sizeof ((T){…})
                let operand = self.unary_end(at + 1, end);
                self.copy(at);
                self.push_all("(", origin);
                self.range(at + 1, operand);
                self.push_all(")", origin);
                operand
            }
            // Other spellings of it the parser takes for names.
            ("asm" | "__asm", _) if self.depth > 0 => {
                self.respell(at, "__asm__");
                at + 1 + usize::from(self.is(at + 1, "inline"))
            }
            ("__asm__", _) if self.is(at + 1, "inline") => {
                self.copy(at);
                at + 2
            }
            ("__int128" | "__int128_t", _) => self.wide(at, false),
            ("__uint128_t", _) => self.wide(at, true),
            ("unsigned" | "signed", None) if self.is(at + 1, "__int128") => {
                self.wide(at + 1, self.is(at, "unsigned"))
            }
            ("unsigned" | "signed", None)
                if self.is(at + 2, "__int128")
                    && self.tokens[at + 1].is_one(&["const", "volatile", "static", "extern"]) =>
            {
                // match: unsigned const __int128
                // result: const unsigned __int128
                self.copy(at + 1);
                self.wide(at + 2, self.is(at, "unsigned"))
            }
            ("typedef", None) => self.typedef(at, end),
            ("asm" | "__asm__" | "__asm", _) if self.depth == 0 && self.begins_declaration() => {
                // match: asm("…"); between declarations
                // result: nothing; what it defines has no body here
                self.after_semicolon(at)
            }
            ("__builtin_types_compatible_p", Some(close)) => self.types_compatible(at, close),
            _ if is_foreign(&self.tokens[at]) => {
                let token = &self.tokens[at];
                let escaped = Token {
                    text: Cow::Owned(escape_name(&token.text)),
                    ..token.clone()
                };
                self.out.push(escaped);
                at + 1
            }
            _ => self.copy(at),
        }
    }

    fn punctuator(&mut self, at: usize) -> usize {
        let origin = self.tokens[at].origin;
        match &*self.tokens[at].text {
            "{" => {
                self.depth += 1;
                // match: (T){}
                // result: (T){0}
                if self.is(at + 1, "}") && self.opens_compound_literal(at) {
                    self.copy(at);
                    self.out.push(insert(Kind::Number, "0", origin));
                    return at + 1;
                }
                self.copy(at)
            }
            "}" => {
                self.depth = self.depth.saturating_sub(1);
                // match: label: }
                // result: label: ; }
                if self.out.last().is_some_and(|last| last.is(":")) {
                    self.out.push(insert(Kind::Punctuator, ";", origin));
                }
                self.copy(at);
                // match: struct s { … } under #pragma pack(n)
                // result: struct s { … } __attribute__((__selvedge_pack__(n)))
                if let Some(text) = self.pack_at(at) {
                    attribute(&mut self.out, text, origin);
                }
                at + 1
            }
            "[" if self.is_standard_attribute(at) => self.standard_attributes(at),
            ":" if self.ends_label() && self.declaration_follows(at + 1) => {
                // match: label: int x;
                // result: label: ; int x;
                self.copy(at);
                self.out.push(insert(Kind::Punctuator, ";", origin));
                at + 1
            }
            _ => self.copy(at),
        }
    }

    /// Prefixes: true if a character constant follows the token at `at` without a blank.
    fn opens_character(&self, at: usize) -> bool {
        let end = self.tokens[at].origin as usize + self.tokens[at].text.len();
        self.tokens.get(at + 1).is_some_and(|next| {
            next.kind == Kind::Text && next.text.starts_with('\'') && next.origin as usize == end
        })
    }

    fn is_attribute(&self, at: usize) -> bool {
        (self.is(at, "__attribute__") || self.is(at, "__attribute")) && self.is(at + 1, "(")
    }

    /// match: _Static_assert(e)
    /// result: _Static_assert(e, "")
    fn static_assert(&mut self, at: usize, close: usize) -> usize {
        self.respell(at, "_Static_assert");
        self.copy(at + 1);
        self.range(at + 2, close);
        if !self.tokens[close - 1].text.ends_with('"') {
            self.push_all(", \"\"", self.tokens[close].origin);
        }
        self.copy(close)
    }

    /// Mark of the record whose members end at `close`, if a `#pragma pack` is in force.
    fn pack_at(&self, close: usize) -> Option<&'static str> {
        let index = self.packs.partition_point(|pack| pack.before <= close);
        let text = match self.packs[index.checked_sub(1)?].most {
            1 => "__selvedge_pack__ ( 1 )",
            2 => "__selvedge_pack__ ( 2 )",
            4 => "__selvedge_pack__ ( 4 )",
            8 => "__selvedge_pack__ ( 8 )",
            16 => "__selvedge_pack__ ( 16 )",
            _ => return None,
        };
        let mut before = self.partner[close].checked_sub(1)?;
        if self.tokens[before].kind == Kind::Word
            && !self.tokens[before].is_one(&["struct", "union"])
        {
            before = before.checked_sub(1)?;
        }
        while self.tokens[before].is(")") && self.is_attribute(self.partner[before].checked_sub(1)?)
        {
            before = self.partner[before].checked_sub(2)?;
        }
        self.tokens[before]
            .is_one(&["struct", "union"])
            .then_some(text)
    }

    /// Index behind the operand of a unary operator that starts at `at`; `at` itself if none does.
    fn unary_end(&self, at: usize, end: usize) -> usize {
        let mut next = at;
        while next < end
            && self.tokens[next].is_one(&["&", "*", "-", "+", "~", "!", "++", "--", "sizeof"])
        {
            next += 1;
        }
        match self.tokens.get(next) {
            Some(token) if token.is("(") => {
                next = self.partner[next] + 1;
                if self.is(next, "{") {
                    next = self.partner[next] + 1;
                }
            }
            Some(token) if token.kind != Kind::Punctuator => next += 1,
            _ => return at,
        }
        while next < end {
            match &*self.tokens[next].text {
                "[" | "(" => next = self.partner[next] + 1,
                "." | "->" => next += 2,
                "++" | "--" => next += 1,
                _ => break,
            }
        }
        next.min(end)
    }

    /// The index after the next semicolon: drops a declaration.
    fn after_semicolon(&self, at: usize) -> usize {
        (at..self.tokens.len())
            .find(|i| self.is(*i, ";"))
            .map_or(self.tokens.len(), |i| i + 1)
    }

    /// True if the next token begins a declaration or statement.
    fn begins_declaration(&self) -> bool {
        self.out
            .last()
            .is_none_or(|last| last.is_one(&[";", "}", "{"]))
    }

    /// Attributes that matter: true if a list of them, in the parentheses from `open` to `close`, has one.
    fn is_meaningful(&self, open: usize, close: usize) -> bool {
        self.tokens[open..close].iter().any(|token| {
            let bare = token
                .text
                .strip_prefix("__")
                .and_then(|text| text.strip_suffix("__"));
            MEANINGFUL.contains(&bare.unwrap_or(&token.text))
        })
    }

    /// Compound literals: true if the brace at `at` opens the list of one: a parenthesis before it stands where an
    /// operand does.
    fn opens_compound_literal(&self, at: usize) -> bool {
        let Some(close) = at.checked_sub(1).filter(|close| self.is(*close, ")")) else {
            return false;
        };
        let open = self.partner[close];
        open.checked_sub(1).is_some_and(|before| {
            self.tokens[before]
                .is_one(&["=", "(", ",", "&", "return", "?", "==", "!=", "sizeof", "["])
        })
    }
}

/// The last name of each `typedef`.
fn typedefs(tokens: &[Token], partner: &[usize]) -> HashSet<String, FxBuildHasher> {
    let mut found = HashSet::default();
    for at in 0..tokens.len() {
        if !tokens[at].is("typedef") {
            continue;
        }
        let mut end = at + 1;
        while end < tokens.len() && !tokens[end].is_one(&[";", "typedef"]) {
            end = partner[end].max(end) + 1;
        }
        if tokens[end - 1].kind == Kind::Word {
            found.insert(tokens[end - 1].text.to_string());
        }
    }
    found
}

/// True if a name has characters that the parser does not read in names.
fn is_foreign(token: &Token) -> bool {
    token.kind == Kind::Word
        && token
            .text
            .bytes()
            .any(|c| !c.is_ascii_alphanumeric() && c != b'_')
}

/// A constant without the escapes that the parser does not know; `None` if there are none.
///
/// match: `\e` and `\u00e9`
/// result: `\033` and the character itself, which the constant's element type encodes
fn plain_escapes(text: &str) -> Option<String> {
    if !text.contains("\\e")
        && !text.contains("\\E")
        && !text.contains("\\u")
        && !text.contains("\\U")
    {
        return None;
    }
    let mut out = String::with_capacity(text.len() + 8);
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        if c != '\\' {
            out.push(c);
            continue;
        }
        let digits = match chars.next() {
            Some('e' | 'E') => {
                out.push_str("\\033");
                continue;
            }
            Some('u') => 4,
            Some('U') => 8,
            other => {
                out.push('\\');
                out.extend(other);
                continue;
            }
        };
        let code: String = chars.by_ref().take(digits).collect();
        let character = u32::from_str_radix(&code, 16)
            .ok()
            .and_then(char::from_u32)
            .unwrap_or('\u{fffd}');
        match u32::from(character) {
            // `$`, `@`, `` ` `` and what should not be written so.
            code @ ..0x80 => out.push_str(&format!("\\{code:03o}")),
            _ => out.push(character),
        }
    }
    Some(out)
}
