//! Functions that are called although nothing declares them.
//!
//! One that is known without a declaration ([`crate::source::known`]) has the type that it has there; C would take it
//! for a function that returns `int`. Whether others are errors is for `library` to say.

use super::ctype::{CType, IntKind, Kind, Signature};
use super::specifier::{declared_name, unknown_function};
use super::{Lowerer, Scope};
use crate::base::WarningKind;
use crate::base::sorted::SortedSet;
use crate::source::known::{self, KnownFunction};
use crate::syntax;
use lang_c::ast::{
    Declaration, DeclarationSpecifier, Declarator, ExternalDeclaration, StorageClassSpecifier,
};
use lang_c::span::{Node, Span};
use std::rc::Rc;

impl Lowerer {
    /// The function that a call of an undeclared name means.
    pub(super) fn undeclared_function(&mut self, name: &str) -> usize {
        let loc = self.body.loc;
        // A library function under its builtin name, which needs no declaration.
        if let Some(plain) = name.strip_prefix("__builtin_") {
            let is_new = self.known_function(plain).is_none();
            let index = self.function_named(plain, loc);
            if is_new {
                self.functions[index].ty = self.builtin_type(plain);
            }
            return index;
        }
        let is_new = self.known_function(name).is_none();
        let index = self.function_named(name, loc);
        if is_new {
            let mut warning = format!("function `{name}` is called without a declaration");
            if let Some(known) = known::declaration(name, self.model)
                && let Some(ty) = self.type_in(&known, name)
            {
                self.functions[index].ty = ty;
                self.functions[index].declared = true;
                if let Some(header) = known.header {
                    warning.push_str(&format!(": it is taken to be that of <{header}>"));
                }
            }
            self.warn(WarningKind::ImplicitFunction, warning);
        }
        index
    }

    /// Names of the functions that are called, and neither defined, declared nor known.
    pub(super) fn undeclared_functions(&self) -> SortedSet<String> {
        let open = |draft: &&super::FunctionDraft| !draft.defined && !draft.declared;
        let drafts = self.functions.iter().filter(open);
        drafts.map(|draft| draft.name.clone()).collect()
    }

    /// The type that a text gives a function. What else it declares is forgotten again.
    fn type_in(&mut self, known: &KnownFunction, name: &str) -> Option<CType> {
        let unit = syntax::parse(&known.source).ok()?;
        let at = self.body.loc;
        self.scopes.push(Scope::default());
        let found = unit.0.iter().find_map(|external| match &external.node {
            ExternalDeclaration::Declaration(d) => self.header_declaration(d, name),
            ExternalDeclaration::FunctionDefinition(f) => {
                let (specifiers, declarator) = (&f.node.specifiers, &f.node.declarator);
                self.type_if_named(specifiers, f.span, declarator, name)
            }
            ExternalDeclaration::StaticAssert(_) => None,
        });
        self.scopes.pop();
        self.body.loc = at;
        found
    }

    /// The type of the function, if this declares it; types are declared.
    fn header_declaration(&mut self, d: &Node<Declaration>, name: &str) -> Option<CType> {
        let is_typedef = d.node.specifiers.iter().any(|specifier| {
            matches!(&specifier.node, DeclarationSpecifier::StorageClass(class)
                if class.node == StorageClassSpecifier::Typedef)
        });
        if is_typedef || d.node.declarators.is_empty() {
            self.file_declaration(d).ok()?;
            return None;
        }
        d.node.declarators.iter().find_map(|one| {
            self.type_if_named(&d.node.specifiers, d.span, &one.node.declarator, name)
        })
    }

    fn type_if_named(
        &mut self,
        specifiers: &[Node<DeclarationSpecifier>],
        span: Span,
        declarator: &Node<Declarator>,
        name: &str,
    ) -> Option<CType> {
        if declared_name(&declarator.node)?.node.name != name {
            return None;
        }
        let (base, _) = self.declaration_specifiers(specifiers, span, false).ok()?;
        let ty = self.declarator_type(base, declarator).ok()?;
        matches!(ty.kind, Kind::Function(_)).then(|| ty.unqualified())
    }

    /// The type of a library function that is only called by its builtin name.
    fn builtin_type(&self, name: &str) -> CType {
        let result = match name {
            "malloc" | "calloc" | "realloc" | "memcpy" | "memmove" | "memset" | "mempcpy"
            | "memchr" => CType::void().pointer_to(),
            "strcpy" | "strncpy" | "strcat" | "strncat" | "strchr" | "strrchr" | "strstr"
            | "stpcpy" | "strdup" => CType::int(IntKind::Char).pointer_to(),
            "strlen" | "strspn" | "strcspn" => CType::int(self.size_kind()),
            "abort" | "exit" | "_exit" | "free" => CType::void(),
            _ => match self.math_signature(name) {
                Some(signature) => return CType::new(Kind::Function(Rc::new(signature))),
                None => return unknown_function(),
            },
        };
        CType::new(Kind::Function(Rc::new(Signature {
            result,
            params: Vec::new(),
            variadic: false,
            prototyped: false,
        })))
    }
}
