//! Two questions about the locals of a function, answered before it is lowered: whose address is taken, and
//! which declarations can a jump bypass. Declarations are named by the place of their identifier.

use super::specifier::{declared_name, parameter_list};
use hashbrown::{HashMap, HashSet};
use lang_c::ast::{
    Declaration, DeclarationSpecifier, DerivedDeclarator, Expression, Extension, ForStatement,
    FunctionDefinition, Identifier, InitDeclarator, Label, LabeledStatement, ParameterDeclaration,
    Statement, SwitchStatement, UnaryOperator, UnaryOperatorExpression,
};
use lang_c::span::{Node, Span};
use lang_c::visit::{self, Visit};
use rustc_hash::FxBuildHasher;

/// The answers.
#[derive(Default)]
pub(super) struct Flow {
    /// Declarations whose address is taken.
    pub in_memory: HashSet<usize, FxBuildHasher>,
    /// Declarations that a `goto` or a `case` may jump past, into their scope.
    pub hoisted: HashSet<usize, FxBuildHasher>,
    /// Offsets of the labels in the text, by name.
    pub labels: HashMap<String, usize, FxBuildHasher>,
}

/// Looks through a function.
pub(super) fn survey(f: &FunctionDefinition) -> Flow {
    let mut survey = Survey::default();
    survey.open(0);
    if let Some(list) = parameter_list(&f.declarator.node)
        && let DerivedDeclarator::Function(function) = &list.node
    {
        for parameter in &function.node.parameters {
            if let Some(declarator) = &parameter.node.declarator
                && let Some(name) = declared_name(&declarator.node)
            {
                survey.add(name);
            }
        }
    }
    for declaration in &f.declarations {
        survey.visit_declaration(&declaration.node, &declaration.span);
    }
    // Parameters are never jumped past.
    survey.declared.clear();
    survey.visit_statement(&f.statement.node, &f.statement.span);
    let hoisted = survey.hoisted();
    Flow {
        in_memory: survey.in_memory,
        hoisted,
        labels: survey
            .labels
            .iter()
            .map(|(name, at)| (name.to_string(), *at))
            .collect(),
    }
}

/// A declaration: the place of its name, where it ends, and where its scope ends.
struct Declared {
    key: usize,
    scope_end: usize,
}

#[derive(Default)]
struct Survey<'ast> {
    scopes: Vec<(Vec<(&'ast str, usize)>, usize)>,
    in_memory: HashSet<usize, FxBuildHasher>,
    declared: Vec<Declared>,
    labels: Vec<(&'ast str, usize)>,
    gotos: Vec<(&'ast str, usize)>,
    /// Case labels: where, and where their `switch` begins.
    cases: Vec<(usize, usize)>,
    switches: Vec<usize>,
}

impl<'ast> Survey<'ast> {
    fn open(&mut self, end: usize) {
        self.scopes.push((Vec::new(), end));
    }

    fn add(&mut self, name: &'ast Node<Identifier>) {
        if let Some((names, end)) = self.scopes.last_mut() {
            names.push((&name.node.name, name.span.start));
            self.declared.push(Declared {
                key: name.span.start,
                scope_end: *end,
            });
        }
    }

    fn find(&self, name: &str) -> Option<usize> {
        let scopes = self.scopes.iter().rev();
        scopes
            .flat_map(|(names, _)| names.iter().rev())
            .find(|(n, _)| *n == name)
            .map(|(_, key)| *key)
    }

    fn hoisted(&self) -> HashSet<usize, FxBuildHasher> {
        let bypassed = |d: &&Declared| {
            let inside = |at: usize| at > d.key && at < d.scope_end;
            let by_case = self
                .cases
                .iter()
                .any(|(at, switch)| inside(*at) && *switch < d.key);
            let by_goto = || {
                self.labels
                    .iter()
                    .filter(|(_, at)| inside(*at))
                    .any(|(label, _)| {
                        self.gotos
                            .iter()
                            .any(|(name, at)| name == label && !inside(*at))
                    })
            };
            by_case || by_goto()
        };
        self.declared
            .iter()
            .filter(bypassed)
            .map(|d| d.key)
            .collect()
    }
}

/// The identifiers of an expression.
struct Names<'ast>(Vec<&'ast str>);

impl<'ast> Visit<'ast> for Names<'ast> {
    fn visit_identifier(&mut self, name: &'ast Identifier, _: &'ast Span) {
        self.0.push(&name.name);
    }
}

/// Attribute `cleanup`: true if the address of what has these attributes goes to a function at the end of its scope.
fn has_cleanup(extensions: &[Node<Extension>]) -> bool {
    extensions.iter().any(|extension| {
        matches!(&extension.node, Extension::Attribute(a) if a.name.node.contains("cleanup"))
    })
}

impl<'ast> Visit<'ast> for Survey<'ast> {
    fn visit_statement(&mut self, statement: &'ast Statement, span: &'ast Span) {
        match statement {
            Statement::Compound(_) => {
                self.open(span.end);
                visit::visit_statement(self, statement, span);
                self.scopes.pop();
            }
            Statement::Goto(name) => self.gotos.push((&name.node.name, span.start)),
            _ => visit::visit_statement(self, statement, span),
        }
    }

    fn visit_for_statement(&mut self, statement: &'ast ForStatement, span: &'ast Span) {
        self.open(span.end);
        visit::visit_for_statement(self, statement, span);
        self.scopes.pop();
    }

    fn visit_switch_statement(&mut self, statement: &'ast SwitchStatement, span: &'ast Span) {
        self.switches.push(span.start);
        visit::visit_switch_statement(self, statement, span);
        self.switches.pop();
    }

    fn visit_labeled_statement(&mut self, statement: &'ast LabeledStatement, span: &'ast Span) {
        match &statement.label.node {
            Label::Identifier(name) => self.labels.push((&name.node.name, span.start)),
            _ => {
                if let Some(switch) = self.switches.last() {
                    self.cases.push((span.start, *switch));
                }
            }
        }
        visit::visit_labeled_statement(self, statement, span);
    }

    fn visit_declaration(&mut self, declaration: &'ast Declaration, span: &'ast Span) {
        let cleaned = declaration.specifiers.iter().any(|specifier| {
            matches!(&specifier.node, DeclarationSpecifier::Extension(e) if has_cleanup(e))
        });
        for declarator in &declaration.declarators {
            let declarator = &declarator.node.declarator.node;
            if (cleaned || has_cleanup(&declarator.extensions))
                && let Some(name) = declared_name(declarator)
            {
                self.in_memory.insert(name.span.start);
            }
        }
        visit::visit_declaration(self, declaration, span);
    }

    fn visit_init_declarator(&mut self, declarator: &'ast InitDeclarator, span: &'ast Span) {
        // The name is in scope in its own initialiser.
        if let Some(name) = declared_name(&declarator.declarator.node) {
            self.add(name);
        }
        visit::visit_init_declarator(self, declarator, span);
    }

    fn visit_parameter_declaration(&mut self, _: &'ast ParameterDeclaration, _: &'ast Span) {
        // Names in the prototype of another function declare nothing here.
    }

    fn visit_unary_operator_expression(
        &mut self,
        unary: &'ast UnaryOperatorExpression,
        span: &'ast Span,
    ) {
        if unary.operator.node == UnaryOperator::Address
            && matches!(
                unary.operand.node,
                Expression::GenericSelection(_) | Expression::Call(_)
            )
        {
            // Which operand `_Generic` chooses is not known yet.
            let mut names = Names(Vec::new());
            names.visit_expression(&unary.operand.node, &unary.operand.span);
            let found = names.0.iter().filter_map(|name| self.find(name));
            self.in_memory.extend(found.collect::<Vec<usize>>());
        }
        if unary.operator.node == UnaryOperator::Address
            && let Expression::Identifier(name) = &unary.operand.node
            && let Some(key) = self.find(&name.node.name)
        {
            self.in_memory.insert(key);
        }
        visit::visit_unary_operator_expression(self, unary, span);
    }
}
