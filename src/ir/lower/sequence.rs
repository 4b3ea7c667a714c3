//! Side effects without an order (C17 6.5p2): an expression that changes a named scalar in one operand and uses or changes it in
//! another one is undefined wherever it is evaluated (`--check undefined`).
//!
//! Only what is certain is looked at: objects that have a name in the expression, and operands that are evaluated whenever it is.

use super::lvalue::Place;
use super::{Lowerer, Symbol};
use crate::ir::faults::{self, Fault};
use crate::ir::{Operand, Undefined};
use lang_c::ast::{
    BinaryOperator, BinaryOperatorExpression, Expression, MemberOperator, UnaryOperator,
};
use lang_c::span::Node;

/// Named objects that the evaluation of an expression certainly uses and changes.
#[derive(Default)]
struct Effects<'a> {
    reads: Vec<&'a str>,
    writes: Vec<&'a str>,
    /// Changes among these that may come after the value of the expression is known.
    late: Vec<&'a str>,
}

impl<'a> Effects<'a> {
    fn of(e: &'a Node<Expression>) -> Effects<'a> {
        let mut effects = Effects::default();
        effects.add(&e.node, true);
        effects
    }

    /// Adds those of an expression, all of which are over when its value is known.
    fn add_before(&mut self, e: &'a Expression) {
        let late = self.late.len();
        self.add(e, true);
        self.late.truncate(late);
    }

    /// Adds those of an expression, whose value is used (or else the object that it designates).
    fn add(&mut self, e: &'a Expression, value: bool) {
        match e {
            Expression::Identifier(name) if value => self.reads.push(&name.node.name),
            Expression::Member(member) => {
                let through = member.node.operator.node == MemberOperator::Indirect;
                self.add(&member.node.expression.node, through);
            }
            Expression::Call(call) if !is_builtin(&call.node.callee.node) => {
                self.add_before(&call.node.callee.node);
                for argument in &call.node.arguments {
                    self.add_before(&argument.node);
                }
            }
            Expression::UnaryOperator(unary) => {
                let operand = &unary.node.operand.node;
                match unary.node.operator.node {
                    UnaryOperator::Address => self.add(operand, false),
                    UnaryOperator::PostIncrement
                    | UnaryOperator::PostDecrement
                    | UnaryOperator::PreIncrement
                    | UnaryOperator::PreDecrement => {
                        self.add(operand, true);
                        self.change(operand);
                    }
                    _ => self.add(operand, true),
                }
            }
            Expression::Cast(cast) => self.add(&cast.node.expression.node, true),
            Expression::BinaryOperator(binary) => self.add_binary(&binary.node),
            Expression::Conditional(choice) => self.add_before(&choice.node.condition.node),
            Expression::Comma(list) => {
                if let Some((last, before)) = list.split_last() {
                    for e in before {
                        self.add_before(&e.node);
                    }
                    self.add(&last.node, true);
                }
            }
            _ => {}
        }
    }

    fn add_binary(&mut self, binary: &'a BinaryOperatorExpression) {
        let (left, right) = (&binary.lhs.node, &binary.rhs.node);
        match &binary.operator.node {
            BinaryOperator::LogicalAnd | BinaryOperator::LogicalOr => self.add_before(left),
            operator => {
                let assigns = is_assignment(operator);
                self.add(left, *operator != BinaryOperator::Assign);
                self.add(right, true);
                if assigns {
                    self.change(left);
                }
            }
        }
    }

    /// The object that an expression names is changed.
    fn change(&mut self, e: &'a Expression) {
        if let Expression::Identifier(name) = e {
            self.writes.push(&name.node.name);
            self.late.push(&name.node.name);
        }
    }

    /// Names that one changes and the other uses or changes.
    fn clashes(&self, other: &Effects<'a>) -> Vec<&'a str> {
        let one_way = |a: &Effects<'a>, b: &Effects<'a>| -> Vec<&'a str> {
            let used = |name: &&&str| b.reads.contains(*name) || b.writes.contains(*name);
            a.writes.iter().filter(used).copied().collect()
        };
        let mut clashes = one_way(self, other);
        clashes.extend(one_way(other, self));
        clashes
    }
}

/// Assignment, compound or not.
fn is_assignment(operator: &BinaryOperator) -> bool {
    *operator == BinaryOperator::Assign || super::operator::compound(operator).is_some()
}

/// Calls that are none: their operands need not be evaluated.
fn is_builtin(callee: &Expression) -> bool {
    matches!(callee, Expression::Identifier(name)
        if ["__builtin_", "__atomic_", "__sync_"].iter().any(|start| name.node.name.starts_with(start)))
}

impl Lowerer {
    /// Operands of a binary operator, whose evaluations have no order.
    pub(super) fn check_binary(&mut self, e: &BinaryOperatorExpression) {
        let operator = &e.operator.node;
        if !self.checks_undefined()
            || matches!(
                operator,
                BinaryOperator::LogicalAnd | BinaryOperator::LogicalOr
            )
        {
            return;
        }
        let right = Effects::of(&e.rhs);
        let mut left = Effects::default();
        left.add(&e.lhs.node, *operator != BinaryOperator::Assign);
        let mut clashes = left.clashes(&right);
        if is_assignment(operator)
            && let Expression::Identifier(name) = &e.lhs.node
        {
            // What is assigned comes after the values of both operands, not after all that changes there.
            let target = name.node.name.as_str();
            clashes.extend(right.late.iter().copied().filter(|late| *late == target));
        }
        self.unsequenced(&clashes);
    }

    /// Expressions that are evaluated in any order.
    pub(super) fn check_order<'a>(&mut self, all: impl Iterator<Item = &'a Node<Expression>>) {
        if !self.checks_undefined() {
            return;
        }
        let effects: Vec<Effects> = all.map(Effects::of).collect();
        let mut clashes = Vec::new();
        for (index, one) in effects.iter().enumerate() {
            for other in &effects[index + 1..] {
                clashes.extend(one.clashes(other));
            }
        }
        self.unsequenced(&clashes);
    }

    /// The operands of a call, unless it is none.
    pub(super) fn check_arguments(
        &mut self,
        callee: &Node<Expression>,
        arguments: &[Node<Expression>],
    ) {
        if !is_builtin(&callee.node) {
            self.check_order(std::iter::once(callee).chain(arguments));
        }
    }

    /// Undefined behaviour here, if one of these names is that of a scalar.
    fn unsequenced(&mut self, names: &[&str]) {
        let is_scalar = |name: &&&str| match self.lookup(name) {
            Some(Symbol::Local(local)) => {
                let in_bits = matches!(local.place, Place::Bits(..));
                local.ty.is_scalar() && !local.ty.quals.atomic && !in_bits
            }
            Some(Symbol::Global(index)) => {
                let ty = &self.globals[*index].ty;
                ty.is_scalar() && !ty.quals.atomic
            }
            _ => false,
        };
        let found = names.iter().any(|name| is_scalar(&name));
        if found && !faults::on(Fault::OrderIgnored) {
            let never = Operand::Const { value: 0, bits: 1 };
            self.body.defined(never, Undefined::Unsequenced);
        }
    }
}
