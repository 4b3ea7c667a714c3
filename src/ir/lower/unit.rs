//! A translation unit: its declarations one after the other, then the program that they make.

use super::Meaning;
use super::agree::{agree, supplied};
use super::body::{forwarding, refused};
use super::ctype::{CType, Kind};
use super::link::begin;
use super::linkage::{Current, Unit, is_system};
use super::specifier::{declared_name, unknown_function};
use super::survey::{Survey, call_of};
use super::{FunctionDraft, Lowerer, Scope, callee, label};
use crate::base::{Diagnostic, IdVec, Loc, Warning};
use crate::ir::{
    Callee, Check, DataModel, ExternCall, FuncId, Function, Instr, InstrKind, Operand, Program,
    reach,
};
use lang_c::ast::{ExternalDeclaration, TranslationUnit};

/// Lowers the parsed, preprocessed units of a program, and links them.
///
/// Fails with everything that is wrong at file scope and in functions that can be reached from `main`, with declarations and
/// definitions that do not go together among it; what is wrong elsewhere does not matter. Constructs that are understood but not
/// modelled become [`InstrKind::Unsupported`] at their place.
pub fn lower(
    units: &[Unit],
    model: DataModel,
    meaning: Meaning,
) -> Result<Program, Vec<Diagnostic>> {
    let mut lowerer = Lowerer::new(model, Survey::of(units));
    lowerer.meaning = meaning;
    // Calls find definitions of later units, too.
    let mut current: Vec<Current> = units
        .iter()
        .enumerate()
        .map(|(number, unit)| begin(unit, number))
        .collect();
    label::choose(&mut current, model);
    for (unit, current) in units.iter().zip(&mut current) {
        lowerer.unit = std::mem::take(current);
        lowerer.prepare(unit.tree);
        *current = std::mem::take(&mut lowerer.unit);
    }
    for (unit, current) in units.iter().zip(current) {
        lowerer.unit = current;
        lowerer.unit(unit.tree);
    }
    lowerer.settle(units);
    lowerer.finish()
}

/// Errors that the user is told: by place, each once. Those without a message follow from others.
fn told(mut errors: Vec<Diagnostic>) -> Vec<Diagnostic> {
    errors.retain(|error| !error.message.is_empty());
    errors.sort_by_key(|error| error.loc);
    errors.dedup();
    errors
}

/// Warnings by place, each once: some code is lowered more than once.
fn told_once(mut warnings: Vec<Warning>) -> Vec<Warning> {
    warnings.sort();
    warnings.dedup();
    warnings
}

impl Lowerer {
    /// Errors of declarations that do not go together. Headers that come with us and those of the system are not made for each
    /// other, and what they declare differently is as good as equal; between them, there is no error.
    fn settle(&mut self, units: &[Unit]) {
        let mut conflicts = std::mem::take(&mut self.conflicts);
        conflicts.retain(|conflict| {
            let first = conflict.note.as_ref().map(|(loc, _)| *loc);
            let mut both = [Some(conflict.loc), first].into_iter().flatten();
            !both.all(|loc| is_system(units, loc))
        });
        self.diagnostics.append(&mut conflicts);
    }

    /// Reads a unit, in scopes of its own.
    fn unit(&mut self, unit: &TranslationUnit) {
        self.scopes = vec![Scope::default()];
        self.poisoned.clear();
        self.choices.clear();
        for declaration in &unit.0 {
            let result = match &declaration.node {
                ExternalDeclaration::Declaration(d) => self.file_declaration(d),
                ExternalDeclaration::StaticAssert(a) => self.static_assert(a),
                ExternalDeclaration::FunctionDefinition(f) => self.function_definition(f),
            };
            if let Err(diagnostic) = result {
                self.recover_at_file_scope(&declaration.node);
                self.diagnostics.push(diagnostic);
            }
        }
    }

    /// Gives every function with a body its id, so that calls before the definition find it.
    fn prepare(&mut self, unit: &TranslationUnit) {
        for declaration in &unit.0 {
            if let ExternalDeclaration::FunctionDefinition(f) = &declaration.node
                && let Some(name) = declared_name(&f.node.declarator.node)
            {
                let index = self.function_named(&name.node.name, self.loc(name.span));
                self.functions[index].defined = true;
                self.function_id(index);
            }
        }
    }

    /// The function of this name, declared without a type if it is new.
    pub(super) fn function_named(&mut self, name: &str, at: Loc) -> usize {
        if let Some(index) = self.known_function(name) {
            return index;
        }
        let linkage = self.linkage_of(name);
        let index = self.functions.len();
        self.functions.push(FunctionDraft {
            name: self.unit.key(name).to_string(),
            ty: unknown_function(),
            defined: false,
            linkage,
            declared: false,
            never_returns: false,
            id: None,
            body: None,
            falls_off: None,
            failures: Vec::new(),
            loc: at,
        });
        self.name_function(name, index);
        index
    }

    /// A declaration of a function, which has to agree with those before.
    pub(super) fn agree_on_function(&mut self, index: usize, ty: &CType, at: Loc) {
        let draft = &self.functions[index];
        let (linkage, known) = (draft.linkage.clone(), draft.ty.clone());
        let name = draft.name.clone();
        let declared = self.declared(&linkage, (&known, ty), (&name, at));
        self.functions[index].linkage.declared = declared;
    }

    pub(super) fn function_id(&mut self, index: usize) -> FuncId {
        if let Some(id) = self.functions[index].id {
            return id;
        }
        let id = self.function_ids.push(index);
        self.functions[index].id = Some(id);
        id
    }

    /// Puts the program together.
    fn finish(mut self) -> Result<Program, Vec<Diagnostic>> {
        self.tell_names_apart();
        let (main, begins) = match self.first_function() {
            Ok(found) => found,
            Err(wrong) => {
                // What can be reached is not known: all that is wrong counts.
                let mut all = std::mem::take(&mut self.diagnostics);
                for function in &mut self.functions {
                    all.append(&mut function.failures);
                }
                all.push(wrong);
                return Err(told(all));
            }
        };
        let around_main = self.around_main();
        let mut functions = IdVec::new();
        let mut failures = Vec::new();
        for index in self.function_ids.iter() {
            let draft = &mut self.functions[*index];
            let found = std::mem::take(&mut draft.failures);
            functions.push(match draft.body.take() {
                Some(body) => body,
                None if draft.defined => {
                    let reason = found.first().map_or("", |f| &f.message).to_string();
                    refused(draft.name.clone(), reason, draft.loc)
                }
                None => self.forwarding(*index),
            });
            failures.push(found);
        }
        self.warn_of_missing_results(&functions);
        if !around_main.is_empty() {
            if let Some(at) = call_of(&functions, main) {
                let message = "`main` is called in a program with constructors or destructors, \
                               which is not supported";
                return Err(vec![Diagnostic::new(at, message)]);
            }
            let around_main = supplied(&mut functions, main, around_main);
            let entry = functions[main].entry;
            functions[main].blocks[entry]
                .instrs
                .splice(0..0, around_main);
        }
        agree(&mut functions, self.pointer_bits());
        self.refuse_weak();
        let mut errors = std::mem::take(&mut self.diagnostics);
        let globals = match self.finish_globals() {
            Ok(globals) => globals,
            Err(all) => {
                errors.extend(all);
                IdVec::new()
            }
        };
        if !errors.is_empty() && globals.is_empty() {
            errors.extend(failures.into_iter().flatten());
            return Err(told(errors));
        }
        let undeclared = self.undeclared_functions();
        let repeated = self
            .strings
            .values()
            .filter(|(_, places)| places.len() > 1)
            .map(|(index, _)| *index)
            .collect::<Vec<_>>();
        let repeated = self
            .global_ids
            .iter_ids()
            .filter(|(_, index)| repeated.contains(index))
            .map(|(id, _)| id)
            .collect();
        let mut program = Program {
            model: self.model,
            functions,
            globals,
            types: self.types,
            main,
            warnings: told_once(self.warnings),
            repeated,
            undeclared,
            external: Vec::new(),
            open_calls: Vec::new(),
            open: None,
            handles_signals: false,
            begins,
            malloc_may_fail: false,
            deadlocks: false,
            source: None,
        };
        if self.meaning.checks.contains(Check::Undefined) {
            let types = self.function_ids.iter();
            let types = types.map(|index| self.functions[*index].ty.clone());
            callee::check(
                &mut program,
                &self.records,
                &types.collect(),
                &self.pointer_calls,
            );
        }
        let reached = reach::reached_functions(&program);
        let reached = failures.into_iter().zip(reached);
        errors.extend(
            reached
                .filter(|(_, reached)| *reached)
                .flat_map(|(all, _)| all),
        );
        if errors.is_empty() {
            Ok(program)
        } else {
            Err(told(errors))
        }
    }

    /// The function with which execution begins, and what is said of it if it is not `main`.
    fn first_function(&mut self) -> Result<(FuncId, Option<String>), Diagnostic> {
        // `main` makes its own arguments.
        let entry = self.meaning.entry.clone();
        if let Some(entry) = entry.filter(|entry| entry.name != "main") {
            let (id, said) = self.begin_with(&entry)?;
            return Ok((id, Some(said)));
        }
        match self.linked.functions.get("main") {
            Some(index) if self.functions[*index].defined => Ok((self.function_id(*index), None)),
            _ => Err(self.no_main()),
        }
    }

    /// Error that there is no `main`. The message is about all files, so it has no place in one of them.
    fn no_main(&self) -> Diagnostic {
        let what = "the program has no function `main`, with which it begins";
        let defined = self.functions.iter().filter(|draft| draft.defined);
        let mut near = defined.filter(|draft| {
            let name = draft.name.to_ascii_lowercase();
            let (name, _) = name.split_once('@').unwrap_or((&name, ""));
            name == "main" || name == "mian" || name == "_main" || name == "wmain"
        });
        let Some(found) = near.next() else {
            let what =
                format!("{what}; define `int main(void)`, or name the file that does as well");
            return Diagnostic::new(Loc::NONE, what);
        };
        let (name, at) = (&found.name, found.loc);
        let note = match &found.linkage.own {
            Some(_) => "this `main` is `static`, so that it is not the one".to_string(),
            None => format!("did you mean this `{name}`?"),
        };
        Diagnostic::new(Loc::NONE, what).with_note(at, note)
    }

    /// Constructors and destructors, at the start of `main`: destructors are registered, then constructors called, by
    /// their priorities and then in the order of their declarations.
    fn around_main(&mut self) -> Vec<Instr> {
        let mut instrs = Vec::new();
        let mut destructors = std::mem::take(&mut self.destructors);
        destructors.sort_by_key(|(priority, _)| *priority);
        for (_, index) in destructors {
            let loc = self.functions[index].loc;
            let call = ExternCall {
                name: "atexit".to_string(),
                ret_bits: Some(32),
                pointer_args: vec![true],
                pointees: vec![None],
                record_result: false,
            };
            let kind = InstrKind::Call {
                dst: None,
                callee: Callee::Extern(call),
                args: vec![Operand::FuncAddr(self.function_id(index))],
            };
            instrs.push(Instr { kind, loc });
        }
        let mut constructors = std::mem::take(&mut self.constructors);
        constructors.sort_by_key(|(priority, _)| *priority);
        for (_, index) in constructors {
            let loc = self.functions[index].loc;
            let kind = InstrKind::Call {
                dst: None,
                callee: Callee::Direct(self.function_id(index)),
                args: Vec::new(),
            };
            instrs.push(Instr { kind, loc });
        }
        instrs
    }

    /// The body that stands for a function without one when its address is taken.
    fn forwarding(&self, index: usize) -> Function {
        let draft = &self.functions[index];
        let Kind::Function(signature) = &draft.ty.kind else {
            return refused(
                draft.name.clone(),
                "a call of what is no function".into(),
                draft.loc,
            );
        };
        if signature.variadic {
            let reason = format!(
                "a call of `{}`, which takes variable arguments and has no body, through a pointer",
                draft.name
            );
            return refused(draft.name.clone(), reason, draft.loc);
        }
        let mut params: Vec<u16> = signature.params.iter().map(|ty| self.bits(ty)).collect();
        let record_result = signature.result.is_record();
        if record_result {
            params.insert(0, self.pointer_bits());
        }
        let ret_bits = signature
            .result
            .is_scalar()
            .then(|| self.bits(&signature.result));
        let call = ExternCall {
            name: draft.name.clone(),
            ret_bits,
            pointer_args: signature.params.iter().map(CType::is_pointer).collect(),
            pointees: Vec::new(),
            record_result,
        };
        forwarding(draft.name.clone(), params, ret_bits, call, draft.loc)
    }
}
