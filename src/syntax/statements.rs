//! Statements and calls of a unit's text, by their places: for who names places of the program by statements, as witnesses do.

use crate::base::Diagnostic;
use crate::source::Source;
use lang_c::ast::{Declaration, Expression, ForInitializer, FunctionDefinition, Statement};
use lang_c::span::Span;
use lang_c::visit::{self, Visit};

/// Part of the text that the parser reads: its first byte and the one behind it.
type Range = (u32, u32);

/// Call of a function by its name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Call {
    /// The name.
    pub function: String,
    /// Place of its last parenthesis.
    pub end: u32,
}

/// Statements, calls and bodies of functions of a unit, by their ranges, each list ascending and outer ones first.
#[derive(Debug, Default)]
pub struct Statements {
    statements: Vec<Range>,
    /// Those that are loops.
    loops: Vec<Range>,
    calls: Vec<(Range, String)>,
    bodies: Vec<(Range, String)>,
}

impl Statements {
    /// Those of a text that has been parsed before.
    ///
    /// # Errors
    /// It is no C.
    pub fn of(source: &Source) -> Result<Statements, Diagnostic> {
        let tree = super::parse(source)?;
        super::on_large_stack(move || {
            let mut collector = Collector::default();
            collector.visit_translation_unit(&tree);
            let mut found = collector.found;
            found.statements.sort_by_key(|range| outer(*range));
            found.calls.sort_by_key(|(range, _)| outer(*range));
            found.bodies.sort_by_key(|(range, _)| outer(*range));
            found
        })
    }

    /// Beginning of the innermost statement that a place is in: of a loop or a branch, its head is, and its body is not. In the head of a
    /// function, it is the first one of its body.
    pub fn statement(&self, at: u32) -> Option<u32> {
        let end = self.statements.partition_point(|(from, _)| *from <= at);
        let around = self.statements[..end].iter().rev();
        let mut around = around.filter(|(_, to)| at < *to);
        let is_head = || self.function(at).is_none();
        let next = self.bodies.iter().find(|((from, _), _)| at < *from);
        let first = next.filter(|_| is_head()).and_then(|((from, to), _)| {
            let first = self.statements.partition_point(|(begin, _)| begin < from);
            self.statements.get(first).filter(|(begin, _)| begin < to)
        });
        around.next().or(first).map(|(from, _)| *from)
    }

    /// Beginnings of all loops.
    pub fn loops(&self) -> impl Iterator<Item = u32> {
        self.loops.iter().map(|(from, _)| *from)
    }

    /// Beginning of the first statement of a function.
    pub fn first_of(&self, function: &str) -> Option<u32> {
        let body = self.bodies.iter().find(|(_, name)| name == function);
        let ((begin, end), _) = body?;
        let first = self.statements.partition_point(|(from, _)| from < begin);
        let first = self.statements.get(first).filter(|(from, _)| from < end);
        first.map(|(from, _)| *from)
    }

    /// The call that begins at a place, or else the innermost one around it.
    pub fn call(&self, at: u32) -> Option<Call> {
        let first = self.calls.partition_point(|((from, _), _)| *from < at);
        let there = self.calls[first..]
            .iter()
            .take_while(|((from, _), _)| *from == at);
        let found = there.last().or_else(|| innermost(&self.calls, at));
        found.map(|((_, to), function)| Call {
            function: function.clone(),
            end: to.saturating_sub(1),
        })
    }

    /// Name of the function that a place is in.
    pub fn function(&self, at: u32) -> Option<&str> {
        innermost(&self.bodies, at).map(|(_, name)| name.as_str())
    }
}

/// Order in which an outer range comes before those within it.
fn outer((from, to): Range) -> (u32, std::cmp::Reverse<u32>) {
    (from, std::cmp::Reverse(to))
}

/// The last of these ranges that has a place: as they nest, the innermost one.
fn innermost<T>(all: &[(Range, T)], at: u32) -> Option<&(Range, T)> {
    let end = all.partition_point(|((from, _), _)| *from <= at);
    all[..end].iter().rev().find(|((_, to), _)| at < *to)
}

#[derive(Default)]
struct Collector {
    found: Statements,
    /// Within a function.
    is_inside: bool,
    /// Within the head of a loop.
    is_head: bool,
}

fn range(span: &Span) -> Range {
    (span.start as u32, span.end as u32)
}

impl<'ast> Visit<'ast> for Collector {
    fn visit_expression(&mut self, expression: &'ast Expression, span: &'ast Span) {
        if let Expression::Call(call) = expression
            && let Expression::Identifier(name) = &call.node.callee.node
        {
            let name = name.node.name.clone();
            self.found.calls.push((range(span), name));
        }
        visit::visit_expression(self, expression, span);
    }

    fn visit_statement(&mut self, statement: &'ast Statement, span: &'ast Span) {
        match statement {
            // What is in a block, or behind a label, is a statement by itself.
            Statement::Compound(_) | Statement::Labeled(_) => {}
            _ => self.found.statements.push(range(span)),
        }
        if matches!(
            statement,
            Statement::While(_) | Statement::DoWhile(_) | Statement::For(_)
        ) {
            self.found.loops.push(range(span));
        }
        let before = std::mem::take(&mut self.is_head);
        visit::visit_statement(self, statement, span);
        self.is_head = before;
    }

    fn visit_for_initializer(&mut self, first: &'ast ForInitializer, span: &'ast Span) {
        self.is_head = true;
        visit::visit_for_initializer(self, first, span);
        self.is_head = false;
    }

    fn visit_declaration(&mut self, declaration: &'ast Declaration, span: &'ast Span) {
        if self.is_inside && !self.is_head {
            self.found.statements.push(range(span));
        }
        visit::visit_declaration(self, declaration, span);
    }

    fn visit_function_definition(
        &mut self,
        definition: &'ast FunctionDefinition,
        span: &'ast Span,
    ) {
        if let lang_c::ast::DeclaratorKind::Identifier(name) = &definition.declarator.node.kind.node
        {
            let name = name.node.name.clone();
            self.found
                .bodies
                .push((range(&definition.statement.span), name));
        }
        let before = std::mem::replace(&mut self.is_inside, true);
        visit::visit_function_definition(self, definition, span);
        self.is_inside = before;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_have_statements_and_calls() {
        let text = "int f(int a) {\n  int b = a;\n  while (a) { b++; g(h(1), 2); }\n  if (b)\n    a =\n      b;\n  L: return b;\n}\n";
        let source = Source::from_text("a.i", text);
        let found = Statements::of(&source).expect("it is C");
        let at = |token: &str| text.find(token).expect("it is there") as u32;
        let of = |token: &str| {
            found
                .statement(at(token))
                .map(|from| &text[from as usize..])
        };
        let begins = |token: &str, with: &str| {
            assert!(
                of(token).is_some_and(|text| text.starts_with(with)),
                "{token}"
            );
        };
        begins("= a", "int b");
        begins("(a) {", "while");
        begins("b++", "b++");
        begins("1)", "g(");
        begins("(b)", "if");
        begins("b;\n  L", "a =");
        begins("b;\n}", "return");
        begins("int f", "int b");
        assert_eq!(found.statement(text.len() as u32 - 2), None);
        let call = found.call(at("h(1")).expect("a call");
        assert_eq!((call.function.as_str(), call.end), ("h", at(", 2") - 1));
        let call = found.call(at("g(")).expect("a call");
        assert_eq!((call.function.as_str(), call.end), ("g", at("); }")));
        assert_eq!(found.function(at("b++")), Some("f"));
        assert_eq!(found.loops().collect::<Vec<_>>(), [at("while")]);
        assert_eq!(found.first_of("f"), Some(at("int b")));
    }
}
