//! Questions about a whole program: which functions does it call by name.

use super::linkage::Unit;
use crate::base::{IdVec, Loc};
use crate::ir::{Callee, FuncId, Function, InstrKind};
use hashbrown::HashSet;
use lang_c::ast::{CallExpression, Expression};
use lang_c::span::Span;
use lang_c::visit::{self, Visit};
use rustc_hash::FxBuildHasher;

/// Survey of a program: what is known before lowering starts.
#[derive(Default)]
pub(super) struct Survey {
    called: HashSet<String, FxBuildHasher>,
}

impl Survey {
    pub fn of(units: &[Unit]) -> Survey {
        let mut survey = Survey::default();
        for unit in units {
            survey.visit_translation_unit(unit.tree);
        }
        survey
    }

    /// Error label: true if a label `ERROR` is the program's only way to say that something went wrong.
    pub fn label_is_error(&self) -> bool {
        ![
            "reach_error",
            "__VERIFIER_error",
            "__assert_fail",
            "__assert",
        ]
        .iter()
        .any(|name| self.called.contains(*name))
    }
}

impl<'ast> Visit<'ast> for Survey {
    fn visit_call_expression(&mut self, call: &'ast CallExpression, span: &'ast Span) {
        if let Expression::Identifier(name) = &call.callee.node {
            self.called.insert(name.node.name.clone());
        }
        visit::visit_call_expression(self, call, span);
    }
}

/// Position of the first direct call of a function; `None` if there is none.
pub(super) fn call_of(functions: &IdVec<FuncId, Function>, callee: FuncId) -> Option<Loc> {
    functions
        .iter()
        .flat_map(|f| f.blocks.iter())
        .flat_map(|block| &block.instrs)
        .find(|instr| {
            matches!(&instr.kind, InstrKind::Call { callee: Callee::Direct(id), .. } if *id == callee)
        })
        .map(|instr| instr.loc)
}
