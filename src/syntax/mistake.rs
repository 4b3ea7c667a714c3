//! Mistakes that many make, told from where the parser stopped: what is missing, misspelt, or no C.
//!
//! Each rule looks at the tokens around that place, and says nothing if it is not sure. All of them see programs that are
//! wrong anyway.

use super::token::{Kind, Token};
use super::word::{
    BEFORE_NAMES, KEYWORDS, NEVER_BEFORE_NAMES, STATEMENTS, TYPES, ends_operand, is_name, shown,
};
use crate::base::{Diagnostic, Loc};
use crate::source::{Source, known};

/// Words that begin what only C++ has.
const FOREIGN: [&str; 9] = [
    "class",
    "using",
    "namespace",
    "template",
    "public",
    "private",
    "try",
    "throw",
    "virtual",
];

/// Words of the preprocessor.
const DIRECTIVES: [&str; 7] = [
    "include", "define", "ifdef", "ifndef", "endif", "undef", "pragma",
];

/// Assignment operators.
const ASSIGNMENTS: [&str; 11] = [
    "=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>=",
];

/// Tokens around the place where the parser stopped.
#[derive(Clone, Copy)]
pub(super) struct Around<'t> {
    pub source: &'t Source,
    pub tokens: &'t [Token<'t>],
    /// The token that cannot stand where it stands.
    pub at: usize,
}

/// The mistake, if it is one of these.
pub(super) fn mistake(around: Around) -> Option<Diagnostic> {
    literal(around)
        .or_else(|| unfinished_declaration(around))
        .or_else(|| unclosed_type(around))
        .or_else(|| unfinished_statement(around))
        .or_else(|| word(around))
        .or_else(|| assigned(around))
}

/// `;` behind a token, where it is missing.
pub(super) fn semicolon(before: &Token, found: &Token) -> Diagnostic {
    let end = before.origin as usize + before.text.len();
    let text = format!("expected `;` before `{}`", shown(found));
    Diagnostic::new(Loc(end as u32), text)
}

impl<'t> Around<'t> {
    fn found(self) -> &'t Token<'t> {
        &self.tokens[self.at]
    }

    /// The token so many places before.
    fn before(self, places: usize) -> Option<&'t Token<'t>> {
        self.at.checked_sub(places).map(|at| &self.tokens[at])
    }

    /// First token of the statement or declaration.
    fn start(self) -> usize {
        let ends = |token: &Token| token.is_one(&[";", "{", "}"]);
        let behind = self.tokens[..self.at].iter().rposition(ends);
        behind.map_or(0, |at| at + 1)
    }

    /// The `{` that a `}` closes, or that is open around a place.
    fn open(self, from: usize) -> Option<usize> {
        let mut depth = 0usize;
        for at in (0..from).rev() {
            match &*self.tokens[at].text {
                "}" => depth += 1,
                "{" if depth == 0 => return Some(at),
                "{" => depth -= 1,
                _ => {}
            }
        }
        None
    }

    /// True if a declarator may begin behind a token: behind a keyword for a type, `*`, or what seems to be named by a `typedef`.
    fn ends_type(self, at: usize) -> bool {
        let token = &self.tokens[at];
        let is_named = |pair: &[Token]| pair[0].text == token.text && pair[1].is(";");
        token.is_one(TYPES)
            || token.is("*")
            || is_name(token) && self.tokens[..at].windows(2).any(is_named)
    }

    /// True if a `{` begins the members of a type that begins with one of these words.
    fn is_body_of(self, open: usize, words: &[&str]) -> bool {
        let is = |places: usize| {
            let token = open.checked_sub(places).map(|at| &self.tokens[at]);
            token.is_some_and(|token| token.is_one(words))
        };
        is(1) || is(2) && self.tokens[open - 1].kind == Kind::Word
    }
}

/// A number or text that is none.
fn literal(around: Around) -> Option<Diagnostic> {
    let places = [around.at.checked_sub(1), Some(around.at)];
    let mut tokens = places.into_iter().flatten().map(|at| &around.tokens[at]);
    tokens.find_map(|token| {
        let why = match token.kind {
            Kind::Number => wrong_number(&token.text),
            Kind::Text => wrong_text(&token.text),
            _ => None,
        };
        why.map(|why| Diagnostic::new(token.loc(), why))
    })
}

/// Why an integer constant is none.
fn wrong_number(text: &str) -> Option<String> {
    let lower = text.to_ascii_lowercase();
    let (digits, radix) = match lower.get(..2) {
        Some("0x") => (&lower[2..], 16),
        Some("0b") => (&lower[2..], 2),
        _ => (&lower[..], 10),
    };
    let end = digits.find(|c: char| !c.is_digit(radix));
    let (digits, suffix) = digits.split_at(end.unwrap_or(digits.len()));
    if suffix.starts_with(['.', 'e', 'p']) {
        return None;
    }
    if !["", "u", "l", "ul", "lu", "ll", "ull", "llu"].contains(&suffix) {
        return Some(format!(
            "the number `{text}` ends with `{suffix}`, which means nothing"
        ));
    }
    let is_octal = radix == 10 && digits.len() > 1 && digits.starts_with('0');
    let digit = digits.chars().find(|c| matches!(c, '8' | '9'));
    digit.filter(|_| is_octal).map(|digit| {
        format!("`{text}` is octal, since it begins with 0, and cannot have the digit {digit}")
    })
}

/// Why a string or character is none.
fn wrong_text(text: &str) -> Option<String> {
    if text.ends_with("''") && text.len() <= 4 {
        return Some("a character is missing between the quotes".to_string());
    }
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        if c != '\\' {
            continue;
        }
        let escaped = chars.next()?;
        if !"'\"?\\abfnrtvexuUN01234567\n".contains(escaped) {
            return Some(format!(
                "there is no escape `\\{escaped}`; a backslash is `\\\\`"
            ));
        }
    }
    None
}

/// An object of the file without `;`, with which the parser takes what follows for parameters of an old function: a name behind a type, and a
/// word on another line.
fn unfinished_declaration(around: Around) -> Option<Diagnostic> {
    let (mut depth, mut found) = (0usize, None);
    for (at, token) in around.tokens[..around.at].iter().enumerate() {
        match &*token.text {
            "{" | "(" | "[" => depth += 1,
            "}" | ")" | "]" => depth = depth.saturating_sub(1),
            _ if depth > 0 || found.is_some() || at == 0 => {}
            _ => {
                let next = &around.tokens[at + 1];
                let is_attribute = next.text.starts_with("__");
                let is_apart = || around.source.has_line_between(token.loc(), next.loc());
                if is_name(token)
                    && next.kind == Kind::Word
                    && !is_attribute
                    && around.ends_type(at - 1)
                    && is_apart()
                {
                    found = Some((token, next));
                }
            }
        }
    }
    let (before, next) = found.filter(|_| depth == 0)?;
    Some(semicolon(before, next))
}

/// A structure, union or enumeration without `;`, or enumerators without `,`.
fn unclosed_type(around: Around) -> Option<Diagnostic> {
    const TYPES: [&str; 3] = ["struct", "union", "enum"];
    let found = around.found();
    let words = around.tokens[..around.at].iter().rev();
    let words = words.take_while(|token| token.kind == Kind::Word).count();
    if let Some(close) = (around.at - words).checked_sub(1)
        && around.tokens[close].is("}")
        && around.tokens[close + 1].is_one(&KEYWORDS)
        && let Some(open) = around.open(close)
        && around.is_body_of(open, &TYPES)
    {
        return Some(semicolon(&around.tokens[close], &around.tokens[close + 1]));
    }
    let open = around.open(around.at)?;
    let before = around.before(1)?;
    (around.is_body_of(open, &["enum"]) && ends_operand(before) && is_name(found)).then(|| {
        let text = format!("expected `,` before `{}`", shown(found));
        Diagnostic::new(found.loc(), text)
    })
}

/// A statement without `;` that the parser takes for something else.
fn unfinished_statement(around: Around) -> Option<Diagnostic> {
    let (before, found) = (around.before(1)?, around.found());
    let jumps = before.is_one(&["break", "continue", "return"]);
    let is_next = found.is("}") || found.is_one(&STATEMENTS) || found.is_one(&KEYWORDS);
    let is_else = found.is("else") && !before.is_one(&[";", "}", "{"]);
    (jumps && is_next || is_else).then(|| semicolon(before, found))
}

/// A word that is misspelt, no C, or a keyword in place of a name.
fn word(around: Around) -> Option<Diagnostic> {
    let (before, found) = (around.before(1), around.found());
    let start = around.start();
    let first = &around.tokens[start];
    let behind = around.tokens.get(start + 1)?;
    let told = |token: &Token, text: String| Some(Diagnostic::new(token.loc(), text));
    if first.is_one(&DIRECTIVES) && (behind.is("<") || behind.kind != Kind::Punctuator) {
        return told(first, format!("`{}` needs a `#` before it", first.text));
    }
    let is_foreign = first.is_one(&FOREIGN) && behind.kind == Kind::Word;
    if is_foreign || first.is("template") {
        return told(first, format!("`{}` is C++, and no C", first.text));
    }
    let before = before?;
    if found.is("&") && before.is_one(&KEYWORDS) {
        let text = "a reference is C++; C has pointers, `*`";
        return told(found, text.to_string());
    }
    let is_end = found.is_one(&["=", ";", ",", "[", ")"]);
    let is_typed = around
        .before(2)
        .is_some_and(|token| token.is_one(BEFORE_NAMES));
    if is_end && is_typed && (before.is_one(&STATEMENTS) || before.is_one(NEVER_BEFORE_NAMES)) {
        let text = format!("`{}` is a keyword, and cannot be a name", before.text);
        return told(before, text);
    }
    let is_first = around.at == start + 1 || around.at > start + 1 && found.is("{");
    let near = near_keyword(first).filter(|_| is_first)?;
    // Two names are a declaration, which begins with no statement.
    let is_type = KEYWORDS.contains(&near);
    if is_name(found) && !is_type {
        return None;
    }
    told(
        first,
        format!("`{}` is not known; did you mean `{near}`?", shown(first)),
    )
}

/// The keyword that a name may be meant for.
fn near_keyword(token: &Token) -> Option<&'static str> {
    if !is_name(token) || token.text.len() < 3 {
        return None;
    }
    let words = STATEMENTS.iter().chain(&KEYWORDS);
    let most = if token.text.len() < 5 { 2 } else { 3 };
    let distance = |word: &&&str| known::distance(&token.text, word);
    let sorted = |text: &str| {
        let mut letters: Vec<char> = text.chars().collect();
        letters.sort_unstable();
        letters
    };
    // Letters that are exchanged count as one mistake.
    let is_near = |word: &&&str| {
        distance(word) <= 1 || distance(word) < most && sorted(&token.text) == sorted(word)
    };
    words.filter(is_near).min_by_key(distance).copied()
}

/// An assignment to what is no object, or to the name of a type.
fn assigned(around: Around) -> Option<Diagnostic> {
    let (before, found) = (around.before(1)?, around.found());
    if !found.is_one(&ASSIGNMENTS) || !ends_operand(before) {
        return None;
    }
    let text = if around.tokens[around.start()].is("typedef") {
        format!(
            "`{}` is a type by its `typedef`, and has no value",
            shown(before)
        )
    } else {
        format!(
            "what is left of `{}` is no object that can be assigned",
            found.text
        )
    };
    Some(Diagnostic::new(found.loc(), text))
}
