//! Going on after an error, so that one run tells of several.
//!
//! An error is that of the innermost statement or declaration of a block. What it leaves without a meaning, such as
//! the names that the declaration would have declared, is remembered, and errors that follow from it have no message.

use super::ctype::{CType, Kind};
use super::specifier::declared_name;
use super::{Lowerer, Res};
use crate::base::Diagnostic;
use crate::source::known;
use lang_c::ast::{
    BlockItem, Declaration, DeclarationSpecifier, ExternalDeclaration, TypeSpecifier,
};
use lang_c::span::Node;

/// Errors of one function after which it is left.
const MOST: usize = 20;

impl Lowerer {
    /// An item of a block; an error in it is noted.
    pub(super) fn item_or_error(&mut self, item: &Node<BlockItem>) -> Res<()> {
        let scopes = (self.scopes.len(), self.body.scopes.len());
        let jumps = (self.body.jumps.len(), self.body.switches.len());
        let state = (self.constant_depth, self.in_prototype, self.in_typedef);
        let Err(diagnostic) = self.item(item) else {
            return Ok(());
        };
        if self.body.failures.len() >= MOST || self.constant_depth > 0 {
            return Err(diagnostic);
        }
        self.body.failures.push(diagnostic);
        self.scopes.truncate(scopes.0);
        self.body.scopes.truncate(scopes.1);
        self.body.jumps.truncate(jumps.0);
        self.body.switches.truncate(jumps.1);
        (self.constant_depth, self.in_prototype, self.in_typedef) = state;
        if let BlockItem::Declaration(declaration) = &item.node {
            self.poison(&declaration.node);
        }
        Ok(())
    }

    /// The same at file scope, where the caller keeps the error.
    pub(super) fn recover_at_file_scope(&mut self, declaration: &ExternalDeclaration) {
        self.scopes.truncate(1);
        (self.constant_depth, self.in_prototype, self.in_typedef) = (0, false, false);
        match declaration {
            ExternalDeclaration::Declaration(declaration) => self.poison(&declaration.node),
            ExternalDeclaration::FunctionDefinition(f) => {
                if let Some(name) = declared_name(&f.node.declarator.node) {
                    self.poison_name(&name.node.name);
                }
            }
            ExternalDeclaration::StaticAssert(_) => {}
        }
    }

    /// The names that a declaration should have declared.
    fn poison(&mut self, declaration: &Declaration) {
        for declarator in &declaration.declarators {
            if let Some(name) = declared_name(&declarator.node.declarator.node) {
                self.poison_name(&name.node.name);
            }
        }
        for specifier in &declaration.specifiers {
            if let DeclarationSpecifier::TypeSpecifier(specifier) = &specifier.node
                && let TypeSpecifier::Enum(e) = &specifier.node
            {
                for enumerator in &e.node.enumerators {
                    self.poison_name(&enumerator.node.identifier.node.name);
                }
            }
        }
    }

    fn poison_name(&mut self, name: &str) {
        if self.lookup(name).is_none() {
            self.poisoned.insert(name.to_string());
        }
    }

    /// An error at a name that has no meaning: with a message the first time.
    pub(super) fn unknown_name<T>(&mut self, name: &str, message: String) -> Res<T> {
        if self.poisoned.insert(name.to_string()) {
            self.fail(message)
        } else {
            self.follows()
        }
    }

    /// Suggestion for a name that nothing declares: another name, or a macro of a header.
    pub(super) fn hint(&self, name: &str) -> String {
        if let Some(header) = known::header_of_macro(name) {
            return format!("; include <{header}>");
        }
        let names = self.scopes.iter().flat_map(|scope| scope.names.keys());
        nearest(name, names.map(String::as_str))
    }

    /// An error that follows from another one.
    pub(super) fn follows<T>(&self) -> Res<T> {
        Err(Diagnostic::new(self.body.loc, String::new()))
    }

    /// True if a type is made of a record whose definition is wrong.
    pub(super) fn is_broken(&self, ty: &CType) -> bool {
        match &ty.kind {
            Kind::Array(element, _) => self.is_broken(element),
            Kind::Pointer(to) => self.is_broken(to),
            Kind::Record(id) => self.records[*id].broken,
            _ => false,
        }
    }
}

/// The name that one may be a misspelling of, as a question; empty if none is near.
pub(super) fn nearest<'n>(name: &str, others: impl Iterator<Item = &'n str>) -> String {
    let most = match name.len() {
        0..=2 => return String::new(),
        3..=5 => 1 + usize::from(name.len() == 5),
        _ => 2,
    };
    let near = others.map(|other| (known::distance(name, other), other));
    let near = near.filter(|(distance, other)| *distance <= most && *distance < other.len());
    near.min().map_or(String::new(), |(_, other)| {
        format!("; did you mean `{other}`?")
    })
}
