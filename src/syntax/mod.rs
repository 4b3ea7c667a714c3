//! From preprocessed text to the `lang_c` syntax tree: the one place that knows the parser and its gaps.
//!
//! The text is split into tokens, what the parser cannot read is rewritten or refused by name ([`dialect`]), and
//! the tokens are written out again at their old offsets where they fit ([`print`]), with a map where they do not.

mod dialect;
mod expected;
mod mistake;
mod nesting;
mod print;
pub mod statements;
mod token;
mod word;

use lang_c::ast::TranslationUnit;
use lang_c::driver::{Config, Flavor, parse_preprocessed};

use crate::base::{Diagnostic, Loc};
use crate::source::Source;

/// Stack of the thread that parses. The parser and the tree recurse with the nesting of the program, which
/// [`nesting`] bounds; the bound was measured to fit.
const STACK_BYTES: usize = 256 << 20;

/// Parses a program. Places in the tree and in the diagnostic are `Loc`s of `source`.
///
/// # Errors
/// The first of what [`parse_all`] finds.
pub fn parse(source: &Source) -> Result<TranslationUnit, Diagnostic> {
    parse_all(source).map_err(|all| {
        all.into_iter()
            .next()
            .unwrap_or_else(|| Diagnostic::new(Loc::NONE, "the program cannot be read"))
    })
}

/// Parses a program, and says what is wrong in each of its functions.
///
/// # Errors
/// The first error, and if that is in the body of a function, the first of each other such body.
pub fn parse_all(source: &Source) -> Result<TranslationUnit, Vec<Diagnostic>> {
    let one = |diagnostic| vec![diagnostic];
    let (mut tokens, packs) = token::split(&source.text).map_err(one)?;
    nesting::check(&tokens).map_err(one)?;
    dialect::rewrite(&mut tokens, &packs).map_err(one)?;
    let (mut text, edits) = print::print(&tokens);
    source.set_edits(edits, text.len());
    if tokens.is_empty() {
        return Err(vec![Diagnostic::new(Loc(0), "the program is empty")]);
    }
    let mut found: Vec<Diagnostic> = Vec::new();
    loop {
        let config = Config {
            cpp_command: String::new(),
            cpp_options: vec![],
            flavor: Flavor::GnuC11,
        };
        let attempt = text.clone();
        let parsed = on_large_stack(move || parse_preprocessed(&config, attempt)).map_err(one)?;
        match parsed {
            Ok(parse) if found.is_empty() => return Ok(parse.unit),
            Ok(_) => return Err(found),
            Err(error) => {
                let diagnostic = expected::diagnostic(&error, source);
                let rest = expected::without_body(&text, diagnostic.loc);
                found.push(diagnostic);
                match rest {
                    Some(rest) if found.len() < MOST_ERRORS && rest.len() < LONG => text = rest,
                    _ => return Err(found),
                }
            }
        }
    }
}

/// Bytes of a text that is not parsed again after its first error.
const LONG: usize = 1 << 20;

/// Functions with errors that are looked for.
const MOST_ERRORS: usize = 10;

/// Runs `work` on a thread whose stack suffices for the nesting that [`nesting`] lets through.
fn on_large_stack<T: Send>(work: impl FnOnce() -> T + Send) -> Result<T, Diagnostic> {
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new()
            .name("parser".to_string())
            .stack_size(STACK_BYTES)
            .spawn_scoped(scope, work)
            .map_err(|error| {
                let message = format!("cannot start the parser's thread: {error}");
                Diagnostic::new(Loc::NONE, message)
            })?;
        thread.join().map_err(|_| {
            let message = "the parser stopped unexpectedly; please report this program";
            Diagnostic::new(Loc::NONE, message)
        })
    })
}

#[cfg(test)]
mod tests;
