//! Expressions and statements of a unit's text, by their places.

use crate::base::Diagnostic;
use crate::source::Source;
use crate::syntax;
use lang_c::ast::{
    BinaryOperator, BinaryOperatorExpression, Declaration, Expression, FunctionDefinition,
    Statement, UnaryOperator,
};
use lang_c::span::Span;
use lang_c::visit::{self, Visit};
use std::thread;

/// Stack for walking over a tree, which recurses as the program nests.
const STACK_BYTES: usize = 256 << 20;

/// Part of the text that the parser reads: its first byte and the one behind it.
pub(super) type Range = (u32, u32);

/// An expression or a statement.
#[derive(Clone, Debug)]
pub(super) struct Node {
    pub range: Range,
    pub form: Form,
}

/// Form of a node, as far as it matters where a thread stops in it.
#[derive(Clone, Debug)]
pub(super) enum Form {
    /// `left = right`.
    Assign(Range, Range),
    /// `left op= right`.
    Compound(Range, &'static str, Range),
    /// `++e` and its like: the operand, the operator, and true if the value is the one before.
    Step(Range, &'static str, bool),
    /// A call, by the name of the function where it has one, with its arguments.
    Call(Option<String>, Vec<Argument>),
    /// The name of a variable.
    Name,
    /// Any other expression.
    Other,
    /// A statement.
    Statement,
    /// A declaration within a function.
    Declaration,
    /// The body of this function.
    Body(String),
    /// Statement behind this label.
    Labelled(String),
}

/// Argument of a call: where it stands, and true if it is a constant.
pub(super) type Argument = (Range, bool);

/// Nodes of a unit.
#[derive(Debug, Default)]
pub(super) struct Nodes(Vec<Node>);

impl Nodes {
    /// Nodes of a text that has been parsed before.
    pub fn of(source: &Source) -> Result<Nodes, Diagnostic> {
        let tree = syntax::parse(source)?;
        let collected = thread::scope(|scope| {
            let worker = thread::Builder::new().stack_size(STACK_BYTES);
            let work = || {
                let mut collector = Collector {
                    nodes: Vec::new(),
                    is_inside: false,
                };
                collector.visit_translation_unit(&tree);
                collector.nodes
            };
            let worker = worker.spawn_scoped(scope, work).ok()?;
            worker.join().ok()
        });
        let mut nodes = collected.unwrap_or_default();
        nodes.sort_by_key(|node| (node.range.0, std::cmp::Reverse(node.range.1)));
        Ok(Nodes(nodes))
    }

    /// All nodes that begin at a place, the longest first.
    pub fn beginning_at(&self, at: u32) -> impl Iterator<Item = &Node> {
        let first = self.0.partition_point(|node| node.range.0 < at);
        self.0[first..]
            .iter()
            .take_while(move |node| node.range.0 == at)
    }

    /// The expression that is exactly there.
    pub fn expression(&self, range: Range) -> Option<&Node> {
        let mut there = self.beginning_at(range.0);
        there.find(|node| node.range == range && node.is_expression())
    }

    /// The operation that begins at a place: a call, an update, an assignment, or else the longest expression.
    pub fn operation(&self, at: u32) -> Option<&Node> {
        let all: Vec<&Node> = self
            .beginning_at(at)
            .filter(|node| node.is_expression())
            .collect();
        let is_operation = |node: &&&Node| {
            matches!(
                node.form,
                Form::Call(..) | Form::Step(..) | Form::Compound(..) | Form::Assign(..)
            )
        };
        all.iter().rev().find(is_operation).or(all.first()).copied()
    }

    /// Calls in an argument of which this part of the text stands, with the number of their arguments.
    pub fn calls_around(&self, (from, to): Range) -> impl Iterator<Item = (&Node, usize)> {
        let end = self.0.partition_point(|node| node.range.0 <= from);
        self.0[..end]
            .iter()
            .filter_map(move |node| match &node.form {
                Form::Call(_, arguments) => {
                    let is_in = |(range, _): &Argument| range.0 <= from && to <= range.1;
                    let is_around = arguments.iter().any(is_in);
                    is_around.then_some((node, arguments.len()))
                }
                _ => None,
            })
    }

    /// Body of the function whose definition begins there, in this text: that of an atomic section is one operation.
    pub fn body_behind(&self, at: u32, text: &str) -> Option<&Node> {
        let first = self.0.partition_point(|node| node.range.0 < at);
        let is_body = |node: &&Node| matches!(node.form, Form::Body(_));
        let body = self.0[first..].iter().find(is_body)?;
        let head = text.get(at as usize..body.range.0 as usize)?;
        let is_head = !head.contains([';', '{', '}']);
        is_head.then_some(body)
    }

    /// Bodies of functions with these names, and what is labelled so.
    pub fn named<'a>(&'a self, names: &'a [&str]) -> impl Iterator<Item = &'a Node> {
        self.0.iter().filter(|node| match &node.form {
            Form::Body(name) | Form::Labelled(name) => names.contains(&name.as_str()),
            _ => false,
        })
    }
}

impl Node {
    fn is_expression(&self) -> bool {
        !matches!(
            self.form,
            Form::Statement | Form::Declaration | Form::Body(_) | Form::Labelled(_)
        )
    }
}

struct Collector {
    nodes: Vec<Node>,
    /// Within a function.
    is_inside: bool,
}

impl Collector {
    fn add(&mut self, span: &Span, form: Form) {
        self.nodes.push(Node {
            range: range(span),
            form,
        });
    }
}

fn range(span: &Span) -> Range {
    (span.start as u32, span.end as u32)
}

impl<'ast> Visit<'ast> for Collector {
    fn visit_expression(&mut self, expression: &'ast Expression, span: &'ast Span) {
        let form = match expression {
            Expression::Identifier(_) => Form::Name,
            Expression::Call(call) => {
                let name = match &call.node.callee.node {
                    Expression::Identifier(name) => Some(name.node.name.clone()),
                    _ => None,
                };
                let arguments = call.node.arguments.iter().map(|argument| {
                    let is_constant = matches!(
                        argument.node,
                        Expression::Constant(_) | Expression::StringLiteral(_)
                    );
                    (range(&argument.span), is_constant)
                });
                Form::Call(name, arguments.collect())
            }
            Expression::BinaryOperator(binary) => assignment(&binary.node),
            Expression::UnaryOperator(unary) => {
                let operand = range(&unary.node.operand.span);
                match unary.node.operator.node {
                    UnaryOperator::PreIncrement => Form::Step(operand, "+", false),
                    UnaryOperator::PreDecrement => Form::Step(operand, "-", false),
                    UnaryOperator::PostIncrement => Form::Step(operand, "+", true),
                    UnaryOperator::PostDecrement => Form::Step(operand, "-", true),
                    _ => Form::Other,
                }
            }
            _ => Form::Other,
        };
        self.add(span, form);
        visit::visit_expression(self, expression, span);
    }

    fn visit_statement(&mut self, statement: &'ast Statement, span: &'ast Span) {
        match statement {
            Statement::Compound(_) => {}
            Statement::Labeled(labeled) => {
                if let lang_c::ast::Label::Identifier(name) = &labeled.node.label.node {
                    let behind = &labeled.node.statement.span;
                    self.add(behind, Form::Labelled(name.node.name.clone()));
                }
            }
            _ => self.add(span, Form::Statement),
        }
        visit::visit_statement(self, statement, span);
    }

    fn visit_declaration(&mut self, declaration: &'ast Declaration, span: &'ast Span) {
        if self.is_inside {
            self.add(span, Form::Declaration);
        }
        visit::visit_declaration(self, declaration, span);
    }

    fn visit_function_definition(
        &mut self,
        definition: &'ast FunctionDefinition,
        span: &'ast Span,
    ) {
        if let Some(name) = name_of(definition) {
            self.add(&definition.statement.span, Form::Body(name));
        }
        self.is_inside = true;
        visit::visit_function_definition(self, definition, span);
        self.is_inside = false;
    }
}

fn name_of(definition: &FunctionDefinition) -> Option<String> {
    match &definition.declarator.node.kind.node {
        lang_c::ast::DeclaratorKind::Identifier(name) => Some(name.node.name.clone()),
        _ => None,
    }
}

fn assignment(binary: &BinaryOperatorExpression) -> Form {
    let (left, right) = (range(&binary.lhs.span), range(&binary.rhs.span));
    let op = match binary.operator.node {
        BinaryOperator::Assign => return Form::Assign(left, right),
        BinaryOperator::AssignMultiply => "*",
        BinaryOperator::AssignDivide => "/",
        BinaryOperator::AssignModulo => "%",
        BinaryOperator::AssignPlus => "+",
        BinaryOperator::AssignMinus => "-",
        BinaryOperator::AssignShiftLeft => "<<",
        BinaryOperator::AssignShiftRight => ">>",
        BinaryOperator::AssignBitwiseAnd => "&",
        BinaryOperator::AssignBitwiseXor => "^",
        BinaryOperator::AssignBitwiseOr => "|",
        _ => return Form::Other,
    };
    Form::Compound(left, op, right)
}
