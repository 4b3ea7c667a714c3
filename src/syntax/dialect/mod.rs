//! Dialects of C that the parser (`lang-c` 0.15) cannot read: rewritten into what it can, with the same meaning, or
//! refused by name. Every rule states itself above its function.

mod expand;
mod implicit;
mod insert;
mod keyword;
mod label;
mod refuse;
mod replace;

use super::token::{Pack, Token};
use crate::base::Diagnostic;

/// Rewrites a whole program; `packs` are its `#pragma pack`.
pub(super) fn rewrite<'a>(tokens: &mut Vec<Token<'a>>, packs: &[Pack]) -> Result<(), Diagnostic> {
    refuse::check(tokens)?;
    keyword::keywords(tokens)?;
    *tokens = replace::replace(std::mem::take(tokens), packs)?;
    label::local_labels(tokens);
    implicit::implicit_int(tokens);
    expand::elvis(tokens);
    Ok(())
}
