//! Assembler names (GNU C): `int f(void) __asm__("g");` declares what the linker knows as `g`.
//!
//! Such a name counts if the program defines it, or if it is that of a library function that is known where the declared name is not.
//! Headers of C libraries give many functions names of their own, which nobody else knows; those keep the name that C has for them.

use super::Set;
use super::linkage::Current;
use super::specifier::declared_name;
use crate::base::DataModel;
use crate::source::known;
use lang_c::ast::{Declarator, Extension};
use lang_c::span::Node;

/// Notes the assembler name of a declarator.
pub(super) fn note(current: &mut Current, declarator: &Node<Declarator>) {
    let label = declarator
        .node
        .extensions
        .iter()
        .find_map(|one| match &one.node {
            Extension::AsmLabel(text) => Some(text.node.concat().replace('"', "")),
            _ => None,
        });
    if let (Some(label), Some(name)) = (label, declared_name(&declarator.node))
        && label != name.node.name
    {
        current.labels.insert(name.node.name.clone(), label);
    }
}

/// Leaves the assembler names that count.
pub(super) fn choose(units: &mut [Current], model: DataModel) {
    if units.iter().all(|unit| unit.labels.is_empty()) {
        return;
    }
    let mut defined: Set<String> = Set::default();
    for unit in units.iter() {
        let external = unit.defined.iter();
        let external = external.filter(|name| !unit.internal.contains(*name));
        defined.extend(external.map(|name| unit.key(name).to_string()));
    }
    let is_known = |name: &str| known::declaration(name, model).is_some();
    for unit in units {
        let internal = &unit.internal;
        unit.labels.retain(|name, label| {
            let counts = defined.contains(label) || is_known(label) && !is_known(name);
            counts && !internal.contains(name)
        });
    }
}
