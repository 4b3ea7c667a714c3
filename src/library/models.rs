//! Functions of the C library that are simplest said in C (`models/string.c`): those that a program calls are
//! lowered and appended to it, and their calls become calls of ordinary functions.

use crate::base::sorted::{SortedMap, SortedSet};
use std::sync::{Arc, Mutex};

use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;

use super::text::{self, Variant};
use crate::base::id::Id;
use crate::base::{IdVec, Loc};
use crate::ir::faults::Fault as IrFault;
use crate::ir::lower::{Meaning, Unit, lower};
use crate::ir::ty::Reading;
use crate::ir::{Callee, DataModel, FuncId, Function, InstrKind, Origin, Program};
use crate::library::faults::{self, Fault};
use crate::source::{Options, Source};
use crate::syntax;

/// Signature of a modelled function, for calls of it.
#[derive(Clone, Debug)]
pub(super) struct Model {
    pub function: FuncId,
    /// Widths of the parameters in bits.
    pub params: Vec<u16>,
    /// Width of the result in bits, `None` for `void`.
    pub ret_bits: Option<u16>,
    /// Exact widths: arguments and result of other widths mean something else, so that such a call is not supported.
    pub exact: bool,
}

/// The models that are part of a program, by name.
pub(super) type Models = HashMap<String, Model, FxBuildHasher>;

/// Appends the models of these names, as far as there are any, and of the functions that they call.
pub(super) fn append(program: &mut Program, wanted: &[String], variant: Variant) -> Models {
    if wanted.is_empty() {
        return Models::default();
    }
    let functions = &*functions(wanted, program.model, variant);
    let mut new_ids: Vec<Option<FuncId>> = vec![None; functions.len()];
    let mut next = program.functions.len();
    let mut chosen = Vec::new();
    let mut pending: Vec<FuncId> = functions
        .iter_ids()
        .filter(|(_, f)| wanted.contains(&f.name) && f.name != "main")
        .map(|(id, _)| id)
        .collect();
    while let Some(id) = pending.pop() {
        if new_ids[id.index()].is_none() {
            new_ids[id.index()] = Some(FuncId::from_index(next));
            next += 1;
            chosen.push(id);
            pending.extend(callees(&functions[id]));
        }
    }
    let mut models = Models::default();
    for id in chosen {
        let mut function = functions[id].clone();
        renumber(&mut function, &new_ids);
        let params = function
            .params
            .iter()
            .map(|param| function.regs[*param].bits)
            .collect();
        let (name, ret_bits) = (function.name.clone(), function.ret_bits);
        let exact = text::is_exact(&name);
        let function = program.functions.push(function);
        models.insert(
            name,
            Model {
                function,
                params,
                ret_bits,
                exact,
            },
        );
    }
    models
}

/// Functions of models, by the parts of the text that they are from, and which text that is.
type Read = SortedMap<(bool, Variant, SortedSet<usize>), Arc<IdVec<FuncId, Function>>>;

/// The models among which these functions are, each part of them read once.
fn functions(
    wanted: &[String],
    model: DataModel,
    variant: Variant,
) -> Arc<IdVec<FuncId, Function>> {
    static READ: Mutex<Read> = Mutex::new(SortedMap::new());
    let parts = text::needed(wanted.iter().map(String::as_str));
    let mut seeded = Fault::ALL.iter().chain(IrFault::ALL);
    if seeded.any(|fault| faults::on(*fault)) {
        return Arc::new(read(&parts, model, variant));
    }
    let key = (model == DataModel::Lp64, variant, parts);
    let known = READ.lock().ok().and_then(|known| known.get(&key).cloned());
    known.unwrap_or_else(|| {
        let functions = Arc::new(read(&key.2, model, variant));
        if let Ok(mut known) = READ.lock() {
            known.insert(key, functions.clone());
        }
        functions
    })
}

/// Reads models. They are our own text, which a test lowers: the empty list is never used.
fn read(parts: &SortedSet<usize>, model: DataModel, variant: Variant) -> IdVec<FuncId, Function> {
    if parts.is_empty() {
        return IdVec::new();
    }
    let options = Options {
        model,
        predefined: Some(&["__SIZE_TYPE__"]),
        ..Options::default()
    };
    let source = Source::preprocessed("library.c", text::text(parts, variant), &options);
    let program = source
        .ok()
        .and_then(|source| syntax::parse(&source).ok())
        .and_then(|unit| lower(&[Unit::alone(&unit)], model, Meaning::default()).ok());
    let mut functions = program.map(|program| program.functions).unwrap_or_default();
    let synchronising = text::synchronising(parts);
    for function in functions.iter_mut() {
        function.origin = Origin::Model {
            synchronises: synchronising.contains(function.name.as_str()),
        };
    }
    functions
}

/// Functions of the models that a model calls.
fn callees(function: &Function) -> impl Iterator<Item = FuncId> + '_ {
    function
        .blocks
        .iter()
        .flat_map(|block| &block.instrs)
        .filter_map(|instr| match instr.kind {
            InstrKind::Call {
                callee: Callee::Direct(callee),
                ..
            } => Some(callee),
            _ => None,
        })
}

/// Gives a model the ids of the program that it becomes part of, and no places, types or names of variables: no text
/// of the user stands for it.
fn renumber(function: &mut Function, new_ids: &[Option<FuncId>]) {
    function.loc = Loc::NONE;
    for reg in function.regs.iter_mut() {
        reg.name = None;
        reg.pointee = None;
        if let Reading::Enum { signed, .. } = reg.reading {
            reg.reading = Reading::integer(signed);
        }
    }
    for block in function.blocks.iter_mut() {
        block.end_loc = Loc::NONE;
        for instr in &mut block.instrs {
            instr.loc = Loc::NONE;
            if let InstrKind::Call {
                callee: Callee::Direct(callee),
                ..
            } = &mut instr.kind
                && let Some(new) = new_ids[callee.index()]
            {
                *callee = new;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::Operand;

    /// Models become part of other programs, so they must not need globals or types of their own.
    #[test]
    fn models_stand_alone() {
        let variants = [false, true].map(|asked| Variant {
            deadlocks: asked,
            writers_first: asked,
        });
        let all = [DataModel::Ilp32, DataModel::Lp64].map(|model| variants.map(|v| (model, v)));
        for (model, variant) in all.into_iter().flatten() {
            let functions = read(&text::all(), model, variant);
            assert!(functions.len() > 100, "{model:?}: the models are lowered");
            for function in functions.iter().filter(|f| f.name != "main") {
                for instr in function.blocks.iter().flat_map(|block| &block.instrs) {
                    match &instr.kind {
                        InstrKind::Alloc { .. }
                        | InstrKind::Unsupported { .. }
                        | InstrKind::EndLife { .. } => {
                            panic!("{}: {:?}", function.name, instr.kind)
                        }
                        InstrKind::Store {
                            addr: Operand::GlobalAddr(..),
                            ..
                        }
                        | InstrKind::Load {
                            addr: Operand::GlobalAddr(..),
                            ..
                        } => {
                            panic!("{}: {:?}", function.name, instr.kind)
                        }
                        _ => {}
                    }
                }
            }
        }
    }

    #[test]
    fn models_say_whether_they_synchronise() {
        let functions = read(&text::all(), DataModel::Lp64, Variant::default());
        let origin = |name: &str| {
            let found = functions.iter().find(|function| function.name == name);
            found.map(|function| function.origin)
        };
        for (name, synchronises) in [
            ("sem_wait", true),
            ("__selvedge_take", true),
            ("__selvedge_handle_new", true),
            ("pthread_once", true),
            ("clock_gettime", false),
            ("strlen", false),
            ("realloc", false),
            ("pthread_attr_init", false),
        ] {
            let expected = Origin::Model { synchronises };
            assert_eq!(origin(name), Some(expected), "{name}");
        }
    }
}
