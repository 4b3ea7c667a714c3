//! Indeterminate values (C17 6.3.2.1p2, 6.7.9p10): a local variable that lives in a register and is declared without a value has a
//! register beside it that says whether it has got one since (`--check undefined`). Reads that are certain to come after a
//! value are not looked at, and variables without others cost nothing. Loads of other objects say that they need a value.

use super::Lowerer;
use super::body::constant;
use super::ctype::{CType, Kind};
use crate::ir::faults::{self, Fault};
use crate::ir::{Instr, InstrKind, Operand, Reg, Rvalue, Undefined};
use lang_c::ast::{Identifier, Initializer, SizeOfVal};
use lang_c::span::{Node, Span};
use lang_c::visit::Visit;

impl Lowerer {
    /// A variable has no value from here on.
    pub(super) fn has_no_value(&mut self, variable: Reg, hoisted: bool) {
        if !self.checks_undefined() {
            return;
        }
        let flag = match self.body.flags.get(&variable) {
            Some(flag) => *flag,
            None => self.body.temp(1),
        };
        self.body.flags.insert(variable, flag);
        let kind = set(flag, false);
        if hoisted {
            let loc = self.body.loc;
            self.body.prologue.push(Instr { kind, loc });
        } else {
            self.body.emit(kind);
        }
    }

    /// A variable has a value now.
    pub(super) fn has_value(&mut self, variable: Reg) {
        if let Some(flag) = self.body.flags.get(&variable) {
            let kind = set(*flag, !faults::on(Fault::ValueForgotten));
            self.body.emit(kind);
        }
    }

    /// The value of a variable is used.
    pub(super) fn needs_value(&mut self, variable: Reg) {
        if let Some(flag) = self.body.flags.get(&variable)
            && !self.discards
        {
            let flag = Operand::Reg(*flag);
            self.body.defined(flag, Undefined::Indeterminate);
        }
    }

    /// A read of memory needs a value: of a scalar that is no character, of an object that may start without one.
    pub(super) fn needs_value_of(&self, ty: &CType, addr: Operand) -> bool {
        let character = matches!(
            ty.kind,
            Kind::Int(kind) if kind.rank() == 1
        );
        let has_start = matches!(addr, Operand::GlobalAddr(..));
        self.checks_undefined() && !character && !has_start && !self.discards
    }
}

fn set(flag: Reg, value: bool) -> InstrKind {
    InstrKind::Assign {
        dst: flag,
        value: Rvalue::Use(constant(u128::from(value), 1)),
    }
}

/// Use of a variable's value in an initialiser, which may be its own; `sizeof` does not evaluate its operand.
pub(super) fn uses(initializer: &Node<Initializer>, name: &str) -> bool {
    struct Search<'n> {
        name: &'n str,
        found: bool,
    }
    impl<'ast> Visit<'ast> for Search<'_> {
        fn visit_identifier(&mut self, identifier: &'ast Identifier, _: &'ast Span) {
            self.found |= identifier.name == self.name;
        }

        fn visit_sizeofval(&mut self, _: &'ast SizeOfVal, _: &'ast Span) {}
    }
    if faults::on(Fault::OwnInitialiser) {
        return false;
    }
    let mut search = Search { name, found: false };
    search.visit_initializer(&initializer.node, &initializer.span);
    search.found
}
