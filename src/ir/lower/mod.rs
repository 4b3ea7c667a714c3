//! From the AST of `lang_c` to a [`Program`]: types, conversions, initialisers and control flow of C11 with
//! the GNU extensions that real programs use, once and for all later stages.
//!
//! * Operands are evaluated from left to right, the left side of an assignment before the right one,
//!   arguments in order; each C access of memory is one load or store. C leaves most of that open; a program
//!   whose meaning depends on it has none.
//! * A scalar local whose address is never taken is a named register; everything else lives in memory, in
//!   an object that is allocated where it is declared.
//! * A record is passed by the address of a copy that the callee owns, and returned through an address that
//!   comes as a first, hidden argument.
//! * Expressions fold while they are lowered; there is no second evaluator for constant expressions.
//!
//! The recursion follows the nesting of the source, so callers run this on a thread whose stack suits
//! the deepest input they accept.

mod address_taken;
mod agree;
mod asm;
mod assign;
mod atomic;
mod attribute;
mod body;
mod builtin;
mod call;
mod choice;
mod classify;
mod condition;
mod constant;
mod convert;
mod ctype;
mod declaration;
mod expression;
mod float;
mod fold;
mod function;
mod global;
mod initialise;
mod initializer;
mod literal;
#[cfg(test)]
mod messages;
mod operator;
mod overflow;
mod place;
mod record;
mod recover;
mod simplify;
mod specifier;
mod statement;
mod survey;
#[cfg(test)]
mod test;
mod undeclared;
mod variadic;

use super::ty::{Type, TypeId, Types};
use super::{DataModel, FuncId, Function, GlobalId, Program};
use crate::base::{Diagnostic, IdVec, Loc};
use body::Body;
use ctype::{CType, RecordId, Records};
use global::GlobalDraft;
use hashbrown::{HashMap, HashSet};
use lang_c::ast::{ExternalDeclaration, TranslationUnit};
use lang_c::span::Span;
use rustc_hash::FxBuildHasher;
use std::collections::BTreeSet;

type Res<T> = Result<T, Diagnostic>;
type Map<K, V> = HashMap<K, V, FxBuildHasher>;
type Set<K> = HashSet<K, FxBuildHasher>;

/// Lowers a parsed, preprocessed program.
///
/// Fails with everything that is wrong at file scope and in functions that can be reached from `main`; what
/// is wrong elsewhere does not matter. Constructs that are understood but not modelled become
/// [`super::InstrKind::Unsupported`] at their place.
pub fn lower(unit: &TranslationUnit, model: DataModel) -> Result<Program, Vec<Diagnostic>> {
    lower_with(unit, model, false)
}

/// The same, with an object of its own for each occurrence of a string literal, where equal ones may stand at one place
/// or not (C17 6.4.5).
pub fn lower_apart(unit: &TranslationUnit, model: DataModel) -> Result<Program, Vec<Diagnostic>> {
    lower_with(unit, model, true)
}

fn lower_with(
    unit: &TranslationUnit,
    model: DataModel,
    apart: bool,
) -> Result<Program, Vec<Diagnostic>> {
    let mut lowerer = Lowerer::new(model, survey::Survey::of(unit));
    lowerer.apart = apart;
    lowerer.prepare(unit);
    for declaration in &unit.0 {
        let result = match &declaration.node {
            ExternalDeclaration::Declaration(d) => lowerer.file_declaration(d),
            ExternalDeclaration::StaticAssert(a) => lowerer.static_assert(a),
            ExternalDeclaration::FunctionDefinition(f) => lowerer.function_definition(f),
        };
        if let Err(diagnostic) = result {
            lowerer.recover_at_file_scope(&declaration.node);
            lowerer.diagnostics.push(diagnostic);
        }
    }
    lowerer.finish()
}

/// Errors that the user is told: by place, each once. Those without a message follow from others.
fn told(mut errors: Vec<Diagnostic>) -> Vec<Diagnostic> {
    errors.retain(|error| !error.message.is_empty());
    errors.sort_by_key(|error| error.loc);
    errors.dedup();
    errors
}

/// The position of a node.
fn loc(span: Span) -> Loc {
    Loc(u32::try_from(span.start).unwrap_or(u32::MAX))
}

/// Meaning of an identifier.
#[derive(Clone, Debug)]
enum Symbol {
    Typedef(CType),
    /// An enumeration constant.
    Constant {
        value: u128,
        ty: CType,
    },
    Local(place::LValue),
    /// Index into [`Lowerer::globals`].
    Global(usize),
    /// Index into [`Lowerer::functions`].
    Function(usize),
}

/// Meaning of a tag.
#[derive(Clone, Debug)]
enum Tag {
    Record(RecordId),
    Enum(CType),
}

/// One scope of identifiers and tags.
#[derive(Default)]
struct Scope {
    names: Map<String, Symbol>,
    tags: Map<String, Tag>,
}

/// A function that has been declared or called.
struct FunctionDraft {
    name: String,
    ty: CType,
    /// True if the unit defines it.
    defined: bool,
    /// True if the unit declares it, or it is known without.
    declared: bool,
    id: Option<FuncId>,
    body: Option<Function>,
    /// Errors in its body.
    failures: Vec<Diagnostic>,
    loc: Loc,
}

/// The state of lowering.
struct Lowerer {
    model: DataModel,
    survey: survey::Survey,
    records: Records,
    types: Types,
    interned: Map<Type, TypeId>,
    interned_records: Map<RecordId, TypeId>,
    scopes: Vec<Scope>,
    globals: Vec<GlobalDraft>,
    /// Objects with linkage by name.
    linked: Map<String, usize>,
    /// Draft of each global, as an index into `globals`.
    global_ids: IdVec<GlobalId, usize>,
    functions: Vec<FunctionDraft>,
    function_names: Map<String, usize>,
    function_ids: IdVec<FuncId, usize>,
    /// Objects of string literals by their content, and where the literals are.
    strings: Map<Vec<u8>, (usize, BTreeSet<usize>)>,
    /// Equal literals at different places are objects of their own.
    apart: bool,
    warnings: Vec<(Loc, String)>,
    diagnostics: Vec<Diagnostic>,
    body: Body,
    /// Functions that run before and after `main`, with their priorities.
    constructors: Vec<(u32, usize)>,
    destructors: Vec<(u32, usize)>,
    /// Names that an error has left without a meaning: nothing more is said of them.
    poisoned: Set<String>,
    /// Index of the operand that `_Generic` or `__builtin_choose_expr` chooses, by its place (start, end).
    choices: Map<(usize, usize), usize>,
    /// Number of constant expressions that are being evaluated around this place.
    constant_depth: u32,
    /// Within the parameter list of a declaration that is no definition.
    in_prototype: bool,
    /// Within the declarators of a typedef.
    in_typedef: bool,
}

impl Lowerer {
    fn new(model: DataModel, survey: survey::Survey) -> Lowerer {
        Lowerer {
            model,
            survey,
            records: IdVec::new(),
            types: IdVec::new(),
            interned: Map::default(),
            interned_records: Map::default(),
            scopes: vec![Scope::default()],
            globals: Vec::new(),
            linked: Map::default(),
            global_ids: IdVec::new(),
            functions: Vec::new(),
            function_names: Map::default(),
            function_ids: IdVec::new(),
            strings: Map::default(),
            apart: false,
            warnings: Vec::new(),
            diagnostics: Vec::new(),
            body: Body::new(String::new(), CType::void()),
            constructors: Vec::new(),
            destructors: Vec::new(),
            poisoned: Set::default(),
            choices: Map::default(),
            constant_depth: 0,
            in_prototype: false,
            in_typedef: false,
        }
    }

    fn error<T>(&self, span: Span, message: impl Into<String>) -> Res<T> {
        Err(Diagnostic::new(loc(span), message))
    }

    fn warn(&mut self, message: impl Into<String>) {
        let entry = (self.body.loc, message.into());
        if !self.warnings.contains(&entry) {
            self.warnings.push(entry);
        }
    }

    fn pointer_bits(&self) -> u16 {
        self.model.pointer_bits()
    }

    fn lookup(&self, name: &str) -> Option<&Symbol> {
        self.scopes
            .iter()
            .rev()
            .find_map(|scope| scope.names.get(name))
    }

    fn lookup_tag(&self, name: &str) -> Option<&Tag> {
        self.scopes
            .iter()
            .rev()
            .find_map(|scope| scope.tags.get(name))
    }

    fn declare(&mut self, name: &str, symbol: Symbol) {
        let scope = self
            .scopes
            .last_mut()
            .expect("the file scope is always open");
        scope.names.insert(name.to_string(), symbol);
    }

    fn declare_tag(&mut self, name: &str, tag: Tag) {
        let scope = self
            .scopes
            .last_mut()
            .expect("the file scope is always open");
        scope.tags.insert(name.to_string(), tag);
    }

    /// Runs `f` with the current position at a node.
    fn at<T>(&mut self, span: Span, f: impl FnOnce(&mut Self) -> T) -> T {
        let saved = std::mem::replace(&mut self.body.loc, loc(span));
        let result = f(self);
        self.body.loc = saved;
        result
    }

    /// Gives every function with a body its id, so that calls before the definition find it.
    fn prepare(&mut self, unit: &TranslationUnit) {
        for declaration in &unit.0 {
            if let ExternalDeclaration::FunctionDefinition(f) = &declaration.node
                && let Some(name) = specifier::declared_name(&f.node.declarator.node)
                && !self.function_names.contains_key(&name.node.name)
            {
                let index = self.function_named(&name.node.name, loc(name.span));
                self.functions[index].defined = true;
                self.function_id(index);
            }
        }
    }

    /// The function of this name, declared without a type if it is new.
    fn function_named(&mut self, name: &str, at: Loc) -> usize {
        if let Some(index) = self.function_names.get(name) {
            return *index;
        }
        let index = self.functions.len();
        self.functions.push(FunctionDraft {
            name: name.to_string(),
            ty: specifier::unknown_function(),
            defined: false,
            declared: false,
            id: None,
            body: None,
            failures: Vec::new(),
            loc: at,
        });
        self.function_names.insert(name.to_string(), index);
        index
    }

    fn function_id(&mut self, index: usize) -> FuncId {
        if let Some(id) = self.functions[index].id {
            return id;
        }
        let id = self.function_ids.push(index);
        self.functions[index].id = Some(id);
        id
    }

    /// Puts the program together.
    fn finish(mut self) -> Result<Program, Vec<Diagnostic>> {
        let main = match self.function_names.get("main") {
            Some(index) if self.functions[*index].defined => self.function_id(*index),
            _ => {
                // What can be reached is not known: all that is wrong counts.
                let mut all = std::mem::take(&mut self.diagnostics);
                for function in &mut self.functions {
                    all.append(&mut function.failures);
                }
                let message = "the program has no function `main`";
                all.push(Diagnostic::new(Loc(0), message));
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
                    body::refused(draft.name.clone(), reason, draft.loc)
                }
                None => self.forwarding(*index),
            });
            failures.push(found);
        }
        if !around_main.is_empty() {
            if let Some(at) = survey::call_of(&functions, main) {
                let message = "`main` is called in a program with constructors or destructors, \
                               which is not supported";
                return Err(vec![Diagnostic::new(at, message)]);
            }
            let around_main = agree::supplied(&mut functions, main, around_main);
            let entry = functions[main].entry;
            functions[main].blocks[entry]
                .instrs
                .splice(0..0, around_main);
        }
        agree::agree(&mut functions, self.pointer_bits());
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
        let program = Program {
            model: self.model,
            functions,
            globals,
            types: self.types,
            main,
            warnings: self.warnings,
            repeated,
            undeclared,
            external: Vec::new(),
        };
        let reached = super::reach::reached_functions(&program);
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

    /// Constructors and destructors, at the start of `main`: destructors are registered, then constructors called, by
    /// their priorities and then in the order of their declarations.
    fn around_main(&mut self) -> Vec<super::Instr> {
        let mut instrs = Vec::new();
        let mut destructors = std::mem::take(&mut self.destructors);
        destructors.sort_by_key(|(priority, _)| *priority);
        for (_, index) in destructors {
            let loc = self.functions[index].loc;
            let call = super::ExternCall {
                name: "atexit".to_string(),
                ret_bits: Some(32),
                pointer_args: vec![true],
                pointees: vec![None],
                record_result: false,
            };
            let kind = super::InstrKind::Call {
                dst: None,
                callee: super::Callee::Extern(call),
                args: vec![super::Operand::FuncAddr(self.function_id(index))],
            };
            instrs.push(super::Instr { kind, loc });
        }
        let mut constructors = std::mem::take(&mut self.constructors);
        constructors.sort_by_key(|(priority, _)| *priority);
        for (_, index) in constructors {
            let loc = self.functions[index].loc;
            let kind = super::InstrKind::Call {
                dst: None,
                callee: super::Callee::Direct(self.function_id(index)),
                args: Vec::new(),
            };
            instrs.push(super::Instr { kind, loc });
        }
        instrs
    }

    /// The body that stands for a function without one when its address is taken.
    fn forwarding(&self, index: usize) -> Function {
        let draft = &self.functions[index];
        let ctype::Kind::Function(signature) = &draft.ty.kind else {
            return body::refused(
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
            return body::refused(draft.name.clone(), reason, draft.loc);
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
        let call = super::ExternCall {
            name: draft.name.clone(),
            ret_bits,
            pointer_args: signature.params.iter().map(CType::is_pointer).collect(),
            pointees: Vec::new(),
            record_result,
        };
        body::forwarding(draft.name.clone(), params, ret_bits, call, draft.loc)
    }
}
