//! Statements and control flow (C11 6.8).

use super::assignable::Taker;
use super::body::{Jumps, Label, ObjectScope, SwitchDraft, constant};
use super::convert::{Typed, Value};
use super::{Lowerer, Res, Scope, fold};
use crate::base::{Diagnostic, WarningKind};
use crate::ir::faults::{self, Fault};
use crate::ir::{BinOp, BlockId, InstrKind, Operand, Property, Terminator, Undefined};
use lang_c::ast::{
    BlockItem, Expression, ForInitializer, ForStatement, IfStatement, Label as AstLabel,
    LabeledStatement, Statement, SwitchStatement,
};
use lang_c::span::{Node, Span};

/// GNU case ranges up to this many values are listed one by one.
const MOST_LISTED: u128 = 256;

impl Lowerer {
    pub(super) fn statement(&mut self, s: &Node<Statement>) -> Res<()> {
        self.body.loc = self.loc(s.span);
        match &s.node {
            Statement::Labeled(labeled) => self.labeled(labeled),
            Statement::Compound(items) => self.scoped(s.span, |this| this.items(items)),
            Statement::Expression(None) => Ok(()),
            Statement::Expression(Some(e)) => self.effect(e).map(|_| ()),
            Statement::If(s) => self.if_statement(&s.node),
            Statement::Switch(s) => self.switch(s),
            Statement::While(s) => {
                let (head, body, exit) = (self.body.block(), self.body.block(), self.body.block());
                self.body.end_with(Terminator::Jump(head), head);
                self.branch(&s.node.expression, body, exit, body)?;
                self.loop_body(&s.node.statement, exit, head)?;
                self.body.end_with(Terminator::Jump(head), exit);
                Ok(())
            }
            Statement::DoWhile(s) => {
                let (body, check, exit) = (self.body.block(), self.body.block(), self.body.block());
                self.body.end_with(Terminator::Jump(body), body);
                self.loop_body(&s.node.statement, exit, check)?;
                self.body.end_with(Terminator::Jump(check), check);
                self.branch(&s.node.expression, body, exit, exit)
            }
            Statement::For(f) => self.scoped(f.span, |this| this.for_statement(&f.node)),
            Statement::Goto(name) => {
                let target = self.label(&name.node.name);
                let keep = self.body.scopes_at(&name.node.name);
                self.body.end_lives(keep);
                self.body.clean_up_behind(&name.node.name, keep);
                self.body.end(Terminator::Jump(target));
                Ok(())
            }
            Statement::Continue => {
                let found = self
                    .body
                    .jumps
                    .iter()
                    .rev()
                    .find_map(|j| Some((j.continue_to?, j.scopes)));
                self.leave(found, "`continue` outside a loop")
            }
            Statement::Break => {
                let found = self.body.jumps.last().map(|j| (j.break_to, j.scopes));
                self.leave(found, "`break` outside a loop or `switch`")
            }
            Statement::Return(value) => self.return_statement(value.as_deref()),
            Statement::Asm(asm) => self.asm(&asm.node),
        }
    }

    /// Runs `f` in a scope of its own; objects declared in it end with it.
    pub(super) fn scoped<T>(&mut self, span: Span, f: impl FnOnce(&mut Self) -> Res<T>) -> Res<T> {
        self.scopes.push(Scope::default());
        self.body.scopes.push(ObjectScope {
            ends: Vec::new(),
            text: (span.start, span.end),
        });
        let result = f(self);
        let keep = self.body.scopes.len() - 1;
        self.body.end_lives(keep);
        self.body.scopes.truncate(keep);
        self.scopes.pop();
        result
    }

    pub(super) fn items(&mut self, items: &[Node<BlockItem>]) -> Res<()> {
        for item in items {
            self.item_or_error(item)?;
        }
        Ok(())
    }

    pub(super) fn item(&mut self, item: &Node<BlockItem>) -> Res<()> {
        match &item.node {
            BlockItem::Declaration(d) => self.local_declaration(d),
            BlockItem::StaticAssert(a) => self.static_assert(a),
            BlockItem::Statement(s) => self.statement(s),
        }
    }

    /// GNU statement expressions: the value is that of the last expression statement.
    pub(super) fn statement_expression(&mut self, s: &Node<Statement>) -> Res<Typed> {
        let Statement::Compound(items) = &s.node else {
            return self.fail("a statement expression needs a block");
        };
        self.scoped(s.span, |this| {
            let Some((last, before)) = items.split_last() else {
                return Ok(Typed::void());
            };
            this.items(before)?;
            let BlockItem::Statement(statement) = &last.node else {
                this.item(last)?;
                return Ok(Typed::void());
            };
            let mut statement = statement;
            while let Statement::Labeled(labeled) = &statement.node {
                this.place_label(labeled)?;
                statement = &labeled.node.statement;
            }
            let Statement::Expression(Some(e)) = &statement.node else {
                this.statement(statement)?;
                return Ok(Typed::void());
            };
            let value = this.expr(e)?;
            if let Value::Record(addr) = value.value {
                // The object may end with this scope.
                let copy = this.temporary(&value.ty, "(value)")?;
                this.copy_record(&value.ty, copy, addr)?;
                return Ok(Typed {
                    ty: value.ty,
                    value: Value::Record(copy),
                });
            }
            Ok(value)
        })
    }

    fn leave(&mut self, found: Option<(BlockId, usize)>, otherwise: &str) -> Res<()> {
        let Some((target, scopes)) = found else {
            return self.fail(otherwise);
        };
        self.body.end_lives(scopes);
        self.body.end(Terminator::Jump(target));
        Ok(())
    }

    fn loop_body(&mut self, s: &Node<Statement>, exit: BlockId, next: BlockId) -> Res<()> {
        let scopes = self.body.scopes.len();
        self.body.jumps.push(Jumps {
            break_to: exit,
            continue_to: Some(next),
            scopes,
        });
        let result = self.scoped(s.span, |this| this.statement(s));
        self.body.jumps.pop();
        result
    }

    fn if_statement(&mut self, s: &IfStatement) -> Res<()> {
        let (then, join) = (self.body.block(), self.body.block());
        let other = match s.else_statement {
            Some(_) => self.body.block(),
            None => join,
        };
        self.branch(&s.condition, then, other, then)?;
        self.scoped(s.then_statement.span, |this| {
            this.statement(&s.then_statement)
        })?;
        self.body.end_with(Terminator::Jump(join), other);
        if let Some(statement) = &s.else_statement {
            self.scoped(statement.span, |this| this.statement(statement))?;
            self.body.end_with(Terminator::Jump(join), join);
        }
        Ok(())
    }

    fn for_statement(&mut self, s: &ForStatement) -> Res<()> {
        match &s.initializer.node {
            ForInitializer::Empty => {}
            ForInitializer::Expression(e) => {
                self.effect(e)?;
            }
            ForInitializer::Declaration(d) => self.local_declaration(d)?,
            ForInitializer::StaticAssert(a) => self.static_assert(a)?,
        }
        let (head, body) = (self.body.block(), self.body.block());
        let (step, exit) = (self.body.block(), self.body.block());
        self.body.end_with(Terminator::Jump(head), head);
        match &s.condition {
            Some(condition) => self.branch(condition, body, exit, body)?,
            None => self.body.end_with(Terminator::Jump(body), body),
        }
        self.loop_body(&s.statement, exit, step)?;
        self.body.end_with(Terminator::Jump(step), step);
        if let Some(e) = &s.step {
            self.effect(e)?;
        }
        self.body.end_with(Terminator::Jump(head), exit);
        Ok(())
    }

    fn return_statement(&mut self, value: Option<&Node<Expression>>) -> Res<()> {
        let result = self.body.result.clone();
        let mut operand = None;
        if value.is_some() == result.is_void() {
            self.mismatched_return(value);
        }
        if let Some(e) = value {
            let value = self.expr(e)?;
            let value = match result.is_void() {
                true => value,
                false => self.at(e.span, |this| this.taken(value, &result, Taker::Result))?,
            };
            if result.is_record() {
                if let (Value::Record(source), Some(target)) = (value.value, self.body.result_addr)
                {
                    self.copy_record(&result, target, source)?;
                }
            } else if !result.is_void() {
                operand = Some(self.operand(value)?);
            }
        }
        self.leave_function(operand);
        Ok(())
    }

    /// A `return` with a value where none is, or without one. A call of what has no value may stand there (GNU C).
    fn mismatched_return(&mut self, value: Option<&Node<Expression>>) {
        let name = self.body.name.clone();
        let ty = self.spell(&self.body.result);
        match value {
            Some(e) => {
                let is_void = self.type_of(e).is_ok_and(|ty| ty.is_void());
                if !is_void {
                    let text = format!("`{name}` has the result `void`: this value is ignored");
                    self.warn_at(self.loc(e.span), WarningKind::ReturnMismatch, text);
                }
            }
            None => {
                let text = format!("`{name}` has the result `{ty}`, which is missing here");
                self.warn(WarningKind::ReturnMismatch, text);
            }
        }
    }

    /// Returns; a value that is missing is free.
    pub(super) fn leave_function(&mut self, operand: Option<Operand>) {
        let result = self.body.result.clone();
        let checked = self.checks_undefined();
        if self.body.never_returns && checked {
            self.body.defined(constant(0, 1), Undefined::Returns);
        }
        let is_missing = operand.is_none() && result.is_scalar() && checked;
        let operand = match operand {
            Some(operand) => Some(operand),
            None if !result.is_scalar() => None,
            None => {
                let bits = self.bits(&result);
                Some(
                    self.body
                        .nondet(bits, crate::ir::NondetSource::Uninitialised),
                )
            }
        };
        self.body.end_lives(0);
        if is_missing {
            self.body.defined(constant(0, 1), Undefined::MissingResult);
        }
        self.body.end(Terminator::Return(operand));
    }

    /// The block of a label.
    fn label(&mut self, name: &str) -> BlockId {
        if let Some(label) = self.body.labels.get(name) {
            return label.block;
        }
        let block = self.body.block();
        let label = Label {
            block,
            defined: false,
            loc: self.body.loc,
        };
        self.body.labels.insert(name.to_string(), label);
        block
    }

    /// Labels that are jumped to but stand nowhere.
    pub(super) fn check_labels(&self) -> Res<()> {
        let missing = self.body.labels.iter().filter(|(_, label)| !label.defined);
        match missing.min_by_key(|(_, label)| label.loc) {
            Some((name, label)) => Err(Diagnostic::new(
                label.loc,
                format!("there is no label `{name}`"),
            )),
            None => Ok(()),
        }
    }

    fn labeled(&mut self, labeled: &Node<LabeledStatement>) -> Res<()> {
        self.place_label(labeled)?;
        self.statement(&labeled.node.statement)
    }

    fn place_label(&mut self, labeled: &Node<LabeledStatement>) -> Res<()> {
        match &labeled.node.label.node {
            AstLabel::Identifier(name) => {
                let name = &name.node.name;
                let block = self.label(name);
                if self.body.labels.get(name).is_some_and(|l| l.defined) {
                    return self.fail(format!("label `{name}` stands twice in one function"));
                }
                if let Some(label) = self.body.labels.get_mut(name) {
                    label.defined = true;
                }
                self.body.end_with(Terminator::Jump(block), block);
                if name == "ERROR" && self.survey.label_is_error() {
                    let cond = constant(0, 1);
                    self.body.emit(InstrKind::Assert {
                        cond,
                        property: Property::ReachError,
                    });
                }
                Ok(())
            }
            AstLabel::Case(e) => {
                let value = self.case_value(e)?;
                let draft = self.switch_draft()?;
                if draft.cases.iter().any(|(known, _)| *known == value) {
                    return self.error(
                        e.span,
                        "this value has a case label in this `switch` already",
                    );
                }
                let block = self.case_block();
                self.switch_draft()?.cases.push((value, block));
                Ok(())
            }
            AstLabel::CaseRange(range) => {
                let low = self.case_value(&range.node.low)?;
                let high = self.case_value(&range.node.high)?;
                let block = self.case_block();
                let draft = self.switch_draft()?;
                let signed = draft.signed;
                let bits = draft.bits;
                let high = if faults::on(Fault::RangeShort) && high != low {
                    fold::mask(high.wrapping_sub(1), bits)
                } else {
                    high
                };
                let order = |v| {
                    if signed {
                        fold::sign_extend(v, bits) as i128
                    } else {
                        v as i128
                    }
                };
                let (first, last) = (order(low), order(high));
                if last < first {
                    return Ok(());
                }
                if ((last - first) as u128) < MOST_LISTED {
                    for value in first..=last {
                        draft.cases.push((fold::mask(value as u128, bits), block));
                    }
                } else {
                    draft.ranges.push((low, high, block));
                }
                Ok(())
            }
            AstLabel::Default => {
                if self.switch_draft()?.default.is_some() {
                    return self.fail("this `switch` has a label `default` already");
                }
                let block = self.case_block();
                self.switch_draft()?.default = Some(block);
                Ok(())
            }
        }
    }

    fn switch_draft(&mut self) -> Res<&mut SwitchDraft> {
        let at = self.body.loc;
        match self.body.switches.last_mut() {
            Some(draft) => Ok(draft),
            None => Err(Diagnostic::new(at, "a case label outside a `switch`")),
        }
    }

    /// A case label's value as wide as the controlling expression.
    fn case_value(&mut self, e: &Node<Expression>) -> Res<u128> {
        let value = self.constant_int(e)?;
        let bits = self.switch_draft()?.bits;
        Ok(fold::mask(value as u128, bits))
    }

    fn case_block(&mut self) -> BlockId {
        let block = self.body.block();
        self.body.end_with(Terminator::Jump(block), block);
        block
    }

    fn switch(&mut self, s: &Node<SwitchStatement>) -> Res<()> {
        let value = self.expr(&s.node.expression)?;
        if !value.ty.is_integer() {
            return self.fail("a `switch` needs an integer");
        }
        let ty = self.promoted(&value.ty);
        let operand = self.converted(value, &ty)?;
        let dispatch = self.body.current;
        let exit = self.body.block();
        let (bits, signed) = (self.bits(&ty), ty.is_signed());
        let draft = SwitchDraft {
            bits,
            signed,
            cases: Vec::new(),
            ranges: Vec::new(),
            default: None,
        };
        self.body.switches.push(draft);
        let scopes = self.body.scopes.len();
        self.body.jumps.push(Jumps {
            break_to: exit,
            continue_to: None,
            scopes,
        });
        self.body.current = self.body.block();
        let result = self.scoped(s.node.statement.span, |this| {
            this.statement(&s.node.statement)
        });
        self.body.end_with(Terminator::Jump(exit), dispatch);
        self.body.jumps.pop();
        let draft = self.body.switches.pop();
        result?;
        let Some(draft) = draft else { return Ok(()) };
        self.body.loc = self.loc(s.span);
        self.dispatch(operand, draft, exit);
        Ok(())
    }

    fn dispatch(&mut self, value: Operand, draft: SwitchDraft, exit: BlockId) {
        let bits = draft.bits;
        for (low, high, block) in &draft.ranges {
            let le = if draft.signed { BinOp::SLe } else { BinOp::ULe };
            let above = self.body.binary(le, constant(*low, bits), value, bits);
            let below = self.body.binary(le, value, constant(*high, bits), bits);
            let inside = self.body.binary(BinOp::And, above, below, 1);
            let next = self.body.block();
            self.body.branch(inside, *block, next, next);
        }
        let default = draft.default.unwrap_or(exit);
        let terminator = match value {
            Operand::Const { value, .. } => {
                let case = draft.cases.iter().find(|(case, _)| *case == value);
                Terminator::Jump(case.map_or(default, |(_, block)| *block))
            }
            _ if draft.cases.is_empty() => Terminator::Jump(default),
            _ => Terminator::Switch {
                value,
                cases: draft.cases,
                default,
            },
        };
        self.body.end_with(terminator, exit);
    }
}
