//! From preprocessed text to the `lang_c` syntax tree: the one place that knows the parser and its gaps.
//!
//! The text is split into tokens, what the parser cannot read is rewritten or refused by name ([`dialect`]), and
//! the tokens are written out again at their old offsets where they fit ([`print`]), with a map where they do not.

mod dialect;
mod expected;
mod nesting;
mod print;
mod token;

use lang_c::ast::TranslationUnit;
use lang_c::driver::{Config, Flavor, parse_preprocessed};

use crate::base::{Diagnostic, Loc};
use crate::source::Source;

/// Stack of the thread that parses. The parser and the tree recurse with the nesting of the program, which
/// [`nesting`] bounds; the bound was measured to fit.
const STACK_BYTES: usize = 256 << 20;

/// Parses a program. Places in the tree and in the diagnostic are `Loc`s of `source`.
pub fn parse(source: &Source) -> Result<TranslationUnit, Diagnostic> {
    let (mut tokens, packs) = token::split(&source.text)?;
    nesting::check(&tokens)?;
    dialect::rewrite(&mut tokens, &packs)?;
    let (text, edits) = print::print(&tokens);
    source.set_edits(edits);
    if tokens.is_empty() {
        return Err(Diagnostic {
            loc: Loc(0),
            message: "the program is empty".to_string(),
        });
    }
    let config = Config {
        cpp_command: String::new(),
        cpp_options: vec![],
        flavor: Flavor::GnuC11,
    };
    let parsed = on_large_stack(move || parse_preprocessed(&config, text))?;
    match parsed {
        Ok(parse) => Ok(parse.unit),
        Err(error) => Err(expected::diagnostic(&error)),
    }
}

/// Runs `work` on a thread whose stack suffices for the nesting that [`nesting`] lets through.
fn on_large_stack<T: Send>(work: impl FnOnce() -> T + Send) -> Result<T, Diagnostic> {
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new()
            .name("parser".to_string())
            .stack_size(STACK_BYTES)
            .spawn_scoped(scope, work)
            .map_err(|error| Diagnostic {
                loc: Loc::NONE,
                message: format!("cannot start the parser's thread: {error}"),
            })?;
        thread.join().map_err(|_| Diagnostic {
            loc: Loc::NONE,
            message: "the parser stopped unexpectedly; please report this program".to_string(),
        })
    })
}

#[cfg(test)]
mod tests;
