//! Words that are keywords since C23 (6.4.1). A program that declares such a word itself, as older ones do, keeps it.

use crate::base::sorted::SortedSet;

use super::super::nesting::partners;
use super::super::token::{Kind, Token};
use super::insert::{attribute, insert, insert_all};
use crate::base::Diagnostic;

/// Words of types that stand before the name that they declare.
const TYPES: [&str; 12] = [
    "void", "char", "short", "int", "long", "float", "double", "signed", "unsigned", "_Bool",
    "const", "volatile",
];

/// Words that stand before an expression.
const BEFORE_VALUE: [&str; 7] = [
    "return", "case", "else", "do", "sizeof", "_Alignof", "alignof",
];

/// The keywords, and which of them the program does not declare.
struct Free {
    bool_: bool,
    values: bool,
    null: bool,
    constant: bool,
    thread: bool,
}

/// match: bool, true, false, nullptr, thread_local, constexpr T x = e;
/// result: _Bool, ((_Bool)1), ((_Bool)0), ((void *)0), _Thread_local, static const T x = e; with a mark (in blocks without
/// `static`)
pub(super) fn keywords(tokens: &mut Vec<Token>) -> Result<(), Diagnostic> {
    const ALL: [&str; 6] = [
        "bool",
        "true",
        "false",
        "nullptr",
        "constexpr",
        "thread_local",
    ];
    if !tokens
        .iter()
        .any(|token| token.is_one(&ALL) || token.is("nullptr_t"))
    {
        return Ok(());
    }
    let free = free(tokens);
    if free.null {
        check_null(tokens)?;
    }
    let mut depth = 0usize;
    let mut out = Vec::with_capacity(tokens.len() + 64);
    for at in 0..tokens.len() {
        let token = &tokens[at];
        let origin = token.origin;
        match (token.kind, &*token.text) {
            (Kind::Word, "bool") if free.bool_ => out.push(insert(Kind::Word, "_Bool", origin)),
            (Kind::Word, "true") if free.values => {
                out.extend(insert_all("( ( _Bool ) 1 )", origin))
            }
            (Kind::Word, "false") if free.values => {
                out.extend(insert_all("( ( _Bool ) 0 )", origin));
            }
            (Kind::Word, "nullptr") if free.null => {
                out.extend(insert_all("( ( void * ) 0 )", origin));
            }
            (Kind::Word, "thread_local") if free.thread => {
                out.push(insert(Kind::Word, "_Thread_local", origin));
            }
            (Kind::Word, "constexpr") if free.constant => {
                attribute(&mut out, "__selvedge_constexpr__", origin);
                let is_static = |at: Option<usize>| {
                    at.and_then(|at| tokens.get(at))
                        .is_some_and(|token| token.is("static"))
                };
                if depth == 0 && !is_static(at.checked_sub(1)) && !is_static(Some(at + 1)) {
                    out.push(insert(Kind::Word, "static", origin));
                }
            }
            (kind, text) => {
                if kind == Kind::Punctuator {
                    match text {
                        "{" => depth += 1,
                        "}" => depth = depth.saturating_sub(1),
                        _ => {}
                    }
                }
                out.push(token.clone());
            }
        }
    }
    *tokens = out;
    Ok(())
}

/// What the program leaves free.
fn free(tokens: &[Token]) -> Free {
    let partner = partners(tokens);
    let enumerators = enumerators(tokens, &partner);
    let uses = |word: &'static str| (0..tokens.len()).filter(move |at| tokens[*at].is(word));
    let is_named = |at: usize| is_value_declared(tokens, at) || enumerators.contains(&at);
    Free {
        bool_: !uses("bool").any(|at| is_type_declared(tokens, &partner, at)),
        values: !uses("true").chain(uses("false")).any(is_named),
        null: !uses("nullptr").any(is_named),
        constant: uses("constexpr").all(|at| is_specifier(tokens, at)),
        thread: uses("thread_local").all(|at| is_specifier(tokens, at)),
    }
}

/// Names within the braces of enumerations, by their places.
fn enumerators(tokens: &[Token], partner: &[usize]) -> SortedSet<usize> {
    let mut found = SortedSet::new();
    for at in 0..tokens.len() {
        if !tokens[at].is("enum") {
            continue;
        }
        let mut open = at + 1;
        while open < tokens.len() {
            let is_attribute = tokens[open].is("[")
                || tokens[open].is("(") && tokens[open - 1].text.starts_with("__attribute");
            if is_attribute {
                open = partner[open];
            } else if tokens[open].kind != Kind::Word {
                break;
            }
            open += 1;
        }
        if !tokens.get(open).is_some_and(|token| token.is("{")) {
            continue;
        }
        let mut next = open + 1;
        while next < partner[open] {
            if tokens[next - 1].is_one(&["{", ","]) {
                found.insert(next);
            }
            next = partner[next].max(next) + 1;
        }
    }
    found
}

/// Members, labels and tags: true if the word at `at` is the name of one.
fn is_tag_or_member(tokens: &[Token], at: usize) -> bool {
    at.checked_sub(1).is_some_and(|before| {
        tokens[before].is_one(&[".", "->", "goto", "struct", "union", "enum"])
    })
}

/// Declared types: true if the word at `at`, which may be a type, stands where a name is declared.
fn is_type_declared(tokens: &[Token], partner: &[usize], at: usize) -> bool {
    let next = tokens.get(at + 1);
    let before = at.checked_sub(1).map(|before| &tokens[before]);
    if is_tag_or_member(tokens, at)
        || next.is_some_and(|next| next.is_one(&[";", "="]))
        || before.is_some_and(|before| before.is_one(&TYPES[..10]))
    {
        return true;
    }
    // One of several names of a `typedef`, and not a parameter in it.
    if !next.is_some_and(|next| next.is_one(&[",", "["])) {
        return false;
    }
    let mut start = at;
    while let Some(before) = start.checked_sub(1) {
        match &*tokens[before].text {
            "typedef" => return start < at,
            ";" | "{" | "(" => return false,
            _ => start = partner[before].min(before),
        }
    }
    false
}

/// Declared values: true if the word at `at`, which may be a value, stands where a name is declared.
fn is_value_declared(tokens: &[Token], at: usize) -> bool {
    let assigned = tokens.get(at + 1).is_some_and(|next| next.is("="));
    let after_type = at.checked_sub(1).is_some_and(|before| {
        tokens[before].kind == Kind::Word && !tokens[before].is_one(&BEFORE_VALUE)
    });
    assigned || after_type || is_tag_or_member(tokens, at)
}

/// Specifiers: true if the word at `at` stands before the rest of a declaration.
fn is_specifier(tokens: &[Token], at: usize) -> bool {
    let next = tokens.get(at + 1);
    next.is_some_and(|next| next.kind == Kind::Word) && !is_tag_or_member(tokens, at)
}

/// The type of `nullptr` is taken to be that of any pointer. What could tell the difference is refused.
fn check_null(tokens: &[Token]) -> Result<(), Diagnostic> {
    if !tokens.iter().any(|token| token.is("_Generic")) {
        return Ok(());
    }
    let is = |at: Option<usize>, texts: &[&str]| {
        at.and_then(|at| tokens.get(at))
            .is_some_and(|token| token.is_one(texts))
    };
    let typeofs = [
        "typeof",
        "__typeof__",
        "__typeof",
        "typeof_unqual",
        "_Generic",
    ];
    let mut names = (0..tokens.len()).filter(|at| match &*tokens[*at].text {
        // All but the name in its definition.
        "nullptr_t" => !is(Some(at + 1), &[";"]),
        "nullptr" => {
            is(at.checked_sub(1), &["("]) && is(at.checked_sub(2), &typeofs)
                || is(at.checked_sub(1), &["="]) && is(at.checked_sub(3), &["auto", "__auto_type"])
        }
        _ => false,
    });
    match names.next() {
        None => Ok(()),
        Some(at) => Err(Diagnostic::new(
            tokens[at].loc(),
            "`nullptr_t` is not told from `void *`, so that it is not supported in a program with `_Generic`; \
                      write `void *`",
        )),
    }
}
