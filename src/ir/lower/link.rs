//! Linkage (C17 6.2.2, 6.9): which declarations of several translation units name one object or function.
//!
//! What a unit declares `static` is its own. Everything else is one thing for all units: its declarations have to agree
//! (6.2.7), and one of them may define it. A strong definition goes before weak ones and inline definitions (6.7.4), of which otherwise the
//! first counts; definitions without an initialiser are common, so that any number of them is one.

use super::assignable::qualifiers;
use super::attribute::Attributes;
use super::consistent::consistent;
use super::ctype::{CType, Kind};
use super::linkage::{Current, Linkage, Names, Strength, Unit};
use super::specifier::{declared_name, parameter_list};
use super::{FunctionDraft, Lowerer, Set, label};
use crate::base::{Diagnostic, Loc};
use crate::source::known;
use hashbrown::HashMap;
use lang_c::ast::{
    DeclarationSpecifier, Declarator, Extension, ExternalDeclaration, FunctionSpecifier,
    StorageClassSpecifier,
};
use lang_c::span::Node;

/// A unit before it is read.
pub(super) fn begin(unit: &Unit, number: usize) -> Current {
    let mut current = Current {
        number,
        name: unit.name.to_string(),
        dialect: unit.dialect,
        start: unit.start.0,
        ..Current::default()
    };
    // A function is inline if no declaration of the unit says otherwise.
    let mut elsewhere: Set<String> = Set::default();
    for external in &unit.tree.0 {
        let (specifiers, declarators): (&[Node<DeclarationSpecifier>], Vec<&Node<Declarator>>) =
            match &external.node {
                ExternalDeclaration::Declaration(d) => {
                    let declarators = d.node.declarators.iter();
                    let declarators = declarators.map(|one| &one.node.declarator);
                    (&d.node.specifiers, declarators.collect())
                }
                ExternalDeclaration::FunctionDefinition(f) => {
                    (&f.node.specifiers, vec![&f.node.declarator])
                }
                ExternalDeclaration::StaticAssert(_) => continue,
            };
        declarators
            .iter()
            .for_each(|one| label::note(&mut current, one));
        let names = declarators.into_iter().filter_map(|one| {
            let name = declared_name(&one.node)?.node.name.as_str();
            let is_function = parameter_list(&one.node).is_some();
            Some((name, is_function))
        });
        let is_gnu = match &external.node {
            ExternalDeclaration::FunctionDefinition(f) => {
                let own = f.node.declarator.node.extensions.iter();
                let before = specifiers.iter().filter_map(|one| match &one.node {
                    DeclarationSpecifier::Extension(all) => Some(all),
                    _ => None,
                });
                own.chain(before.flatten()).any(is_gnu_inline)
            }
            _ => false,
        };
        let stores = |class: StorageClassSpecifier| {
            specifiers.iter().any(|one| {
                matches!(&one.node, DeclarationSpecifier::StorageClass(own) if own.node == class)
            })
        };
        let is_inline = specifiers.iter().any(|one| {
            matches!(&one.node, DeclarationSpecifier::Function(own)
                if own.node == FunctionSpecifier::Inline)
        });
        if stores(StorageClassSpecifier::Typedef) {
            continue;
        }
        let is_body = matches!(external.node, ExternalDeclaration::FunctionDefinition(_));
        for (name, is_function) in names {
            if is_body || !is_function && !stores(StorageClassSpecifier::Extern) {
                current.defined.insert(name.to_string());
            }
            if stores(StorageClassSpecifier::Static) {
                current.internal.insert(name.to_string());
            }
            // GNU C's inline definitions are `extern`.
            if is_inline && stores(StorageClassSpecifier::Extern) == is_gnu {
                current.inline.insert(name.to_string());
            } else {
                elsewhere.insert(name.to_string());
            }
        }
    }
    current.inline.retain(|name| !elsewhere.contains(name));
    current
}

/// The attribute `gnu_inline`.
fn is_gnu_inline(extension: &Node<Extension>) -> bool {
    matches!(&extension.node, Extension::Attribute(one)
        if one.name.node.trim_matches('_') == "gnu_inline")
}

impl Lowerer {
    /// The names that a name is one of: those of the unit alone, or of the program.
    fn names_with(&self, name: &str) -> &Names {
        if self.unit.internal.contains(name) {
            &self.unit.names
        } else {
            &self.linked
        }
    }

    fn names_with_mut(&mut self, name: &str) -> &mut Names {
        if self.unit.internal.contains(name) {
            &mut self.unit.names
        } else {
            &mut self.linked
        }
    }

    /// The function that a name means.
    pub(super) fn known_function(&self, name: &str) -> Option<usize> {
        let key = self.unit.key(name);
        self.names_with(name).functions.get(key).copied()
    }

    /// Has a name mean a function.
    pub(super) fn name_function(&mut self, name: &str, index: usize) {
        let key = self.unit.key(name).to_string();
        self.names_with_mut(name).functions.insert(key, index);
    }

    /// The object with linkage that a name means.
    pub(super) fn known_object(&self, name: &str) -> Option<usize> {
        let key = self.unit.key(name);
        self.names_with(name).objects.get(key).copied()
    }

    /// Has a name mean an object with linkage.
    pub(super) fn name_object(&mut self, name: &str, index: usize) {
        let key = self.unit.key(name).to_string();
        self.names_with_mut(name).objects.insert(key, index);
    }

    /// Linkage of what a name means that is new.
    pub(super) fn linkage_of(&self, name: &str) -> Linkage {
        Linkage {
            own: self.unit.owner(name),
            ..Linkage::default()
        }
    }

    /// Strength of a definition in this unit.
    pub(super) fn strength_of(&self, name: &str, attributes: &Attributes) -> Strength {
        if attributes.weak {
            Strength::Weak
        } else if self.unit.inline.contains(name) && !self.unit.internal.contains(name) {
            Strength::Inline
        } else {
            Strength::Strong
        }
    }

    /// Takes note of a declaration in this unit, which has to agree with those before, here and in others.
    pub(super) fn declared(
        &mut self,
        linkage: &Linkage,
        (known, ty): (&CType, &CType),
        (name, at): (&str, Loc),
    ) -> Option<(usize, Loc)> {
        let number = self.unit.number;
        let Some((other, first)) = linkage.declared else {
            return Some((number, at));
        };
        if other != number && !consistent(&self.records, known, ty) {
            let text = format!("`{name}` is declared with another type elsewhere");
            self.refuse_both([first, at], &text);
        } else if other == number {
            let is_function = matches!(ty.kind, Kind::Function(_));
            let same_quals = is_function || qualifiers(known) == qualifiers(ty);
            if let Some(text) = self.two_types(name, known, ty, same_quals) {
                let error = Diagnostic::new(at, text);
                let note = format!("`{name}` is declared here");
                self.conflicts.push(error.with_note(first, note));
            }
        }
        linkage.declared
    }

    /// An error at two places that do not go together.
    fn refuse_both(&mut self, places: [Loc; 2], text: &str) {
        let errors = places.map(|loc| Diagnostic::new(loc, text));
        self.diagnostics.extend(errors);
    }

    /// Definition: true if it counts, in place of those before it.
    pub(super) fn defines(
        &mut self,
        linkage: &mut Linkage,
        strength: Strength,
        (name, at): (&str, Loc),
    ) -> bool {
        match linkage.defined {
            Some((Strength::Strong, first)) if strength == Strength::Strong => {
                self.refuse_both([first, at], &format!("`{name}` is defined twice"));
                false
            }
            Some((before, _)) if before >= strength => false,
            _ => {
                linkage.defined = Some((strength, at));
                true
            }
        }
    }

    /// Refuses what is weak, used, and defined nowhere: its address is null, unless a library that nobody sees defines it.
    pub(super) fn refuse_weak(&mut self) {
        let functions = self.functions.iter().filter(|draft| {
            let is_used = draft.id.is_some() && draft.linkage.weak && !draft.defined;
            is_used && known::declaration(&draft.name, self.model).is_none()
        });
        let functions = functions.map(|draft| (&draft.name, draft.loc));
        let objects = self
            .globals
            .iter()
            .filter(|draft| draft.id.is_some() && draft.linkage.weak && !draft.defined);
        let objects = objects.map(|draft| (&draft.name, draft.loc));
        let errors = functions.chain(objects).map(|(name, loc)| {
            let what = "is weak and used, but defined nowhere, which is not modelled";
            Diagnostic::new(
                loc,
                format!("`{name}` {what}; give the file that defines it"),
            )
        });
        let errors: Vec<Diagnostic> = errors.collect();
        self.diagnostics.extend(errors);
    }

    /// Gives names that several units have for things of their own the name of the unit as well.
    pub(super) fn tell_names_apart(&mut self) {
        let mut count: HashMap<String, usize> = HashMap::new();
        let functions = self.functions.iter().map(|draft| &draft.name);
        for name in functions.chain(self.globals.iter().map(|draft| &draft.name)) {
            *count.entry(name.clone()).or_default() += 1;
        }
        let apart = |name: &mut String, own: &Option<String>| {
            if let Some(unit) = own
                && count[name.as_str()] > 1
                && !unit.is_empty()
            {
                *name = format!("{name}@{unit}");
            }
        };
        for FunctionDraft {
            name,
            linkage,
            body,
            ..
        } in &mut self.functions
        {
            apart(name, &linkage.own);
            if let Some(body) = body {
                body.name.clone_from(name);
            }
        }
        for draft in &mut self.globals {
            apart(&mut draft.name, &draft.linkage.own);
        }
    }
}
