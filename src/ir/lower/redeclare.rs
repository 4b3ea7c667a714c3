//! Redeclaration: what one name may be declared as again in one scope (C11 6.7p3, 6.2.7), and in one unit.

use super::assignable::qualifiers;
use super::consistent::consistent;
use super::ctype::CType;
use super::{Lowerer, Res, Symbol};
use crate::base::Diagnostic;
use lang_c::ast::Identifier;
use lang_c::span::Node;

/// Meaning that a declaration is about to give a name.
pub(super) enum Declared<'t> {
    Typedef(&'t CType),
    Constant,
    Function,
    /// An object without linkage.
    Object,
    /// An object with linkage, as an index into the objects.
    Linked(usize),
}

impl Lowerer {
    /// Checks that a name is free in the innermost scope, or may be declared again, and remembers its place.
    pub(super) fn check_new(&mut self, name: &Node<Identifier>, new: Declared) -> Res<()> {
        let at = self.loc(name.span);
        let text = name.node.name.as_str();
        let Some(scope) = self.scopes.last() else {
            return Ok(());
        };
        // Some code is read more than once.
        let is_known = scope.places.get(text) == Some(&at);
        if !is_known
            && let Some(old) = scope.names.get(text)
            && let Some(why) = self.conflict(text, old, new)
        {
            let error = Diagnostic::new(at, why);
            let error = match scope.places.get(text) {
                Some(first) => error.with_note(*first, format!("`{text}` is declared here")),
                None => error,
            };
            if self.scopes.len() > 1 {
                return Err(error);
            }
            self.conflicts.push(error);
        }
        if let Some(scope) = self.scopes.last_mut() {
            scope.places.entry(text.to_string()).or_insert(at);
        }
        Ok(())
    }

    /// Conflict of a declaration with the one before, as a message; `None` if there is none.
    fn conflict(&self, name: &str, old: &Symbol, new: Declared) -> Option<String> {
        let again = |what: &str| Some(format!("`{name}` is declared {what} in this scope"));
        match (old, new) {
            (Symbol::Typedef(old), Declared::Typedef(new)) => {
                self.two_types(name, old, new, qualifiers(old) == qualifiers(new))
            }
            (Symbol::Constant { .. }, Declared::Constant) => again("twice"),
            (Symbol::Function(_), Declared::Function) => None,
            (Symbol::Global(old), Declared::Linked(new)) if *old == new => None,
            (Symbol::Local(_) | Symbol::Global(_), Declared::Object | Declared::Linked(_)) => {
                again("twice")
            }
            (old, _) => again(match old {
                Symbol::Typedef(_) => "as a type already",
                Symbol::Constant { .. } => "as an enumeration constant already",
                Symbol::Function(_) => "as a function already",
                Symbol::Local(_) | Symbol::Global(_) => "as an object already",
            }),
        }
    }

    /// A message if two declarations have types that do not go together.
    pub(super) fn two_types(
        &self,
        name: &str,
        old: &CType,
        new: &CType,
        same_quals: bool,
    ) -> Option<String> {
        if same_quals && consistent(&self.records, old, new) {
            return None;
        }
        let (old, new) = (self.spell(old), self.spell(new));
        Some(format!(
            "`{name}` has the type `{new}` here, and `{old}` in a declaration before"
        ))
    }

    /// Checks that a name of the file is not declared `static` behind a declaration that gave it external linkage.
    pub(super) fn check_static(&mut self, name: &Node<Identifier>, is_static: bool) {
        let at = self.loc(name.span);
        let text = name.node.name.clone();
        let first = self.unit.first.entry(text).or_insert((is_static, at));
        let (first_is_static, place) = *first;
        if first_is_static || !is_static {
            return;
        }
        let name = &name.node.name;
        let text = format!("`{name}` is `static` here, and not where it is declared first");
        let note = format!("`{name}` is declared here");
        self.conflicts
            .push(Diagnostic::new(at, text).with_note(place, note));
    }
}
