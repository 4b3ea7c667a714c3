//! What calls of functions without body mean: every call of pthread, C11 threads, libc and `__VERIFIER_*` becomes
//! instructions of the typed program.
//!
//! One table per family maps a name to the function that writes its instructions ([`Meaning`]); what is simplest
//! said in C has a model in C ([`models`]). What is in neither returns a free value, with a warning; if it receives
//! a pointer to memory of the program, which it might write, it is unsupported.

mod assertion;
mod block;
mod ends;
mod exit;
mod faulty;
mod format;
mod globals;
mod io;
mod libc;
mod math;
mod models;
mod mutex;
mod primitive;
mod pthread;
mod site;
mod sync;
mod text;
mod threads;
mod uses;
mod verifier;

#[cfg(test)]
mod tests;

use hashbrown::HashSet;
use rustc_hash::FxBuildHasher;

use crate::base::Loc;
use crate::base::id::Id;
use crate::ir::{
    BlockId, Callee, ExternCall, Function, InstrKind, NondetSource, Operand, Program, Reg,
    Terminator,
};
use globals::Globals;
use models::Models;
use site::Site;
use uses::Uses;

/// Writes the instructions of one call; an error names what of it is not supported.
type Meaning = fn(&mut Site) -> Result<(), String>;

/// The meaning of a library function.
fn meaning(name: &str) -> Option<Meaning> {
    let name = models::plain_name(name);
    verifier::meaning(name)
        .or_else(|| mutex::meaning(name))
        .or_else(|| primitive::meaning(name))
        .or_else(|| pthread::meaning(name))
        .or_else(|| sync::meaning(name))
        .or_else(|| threads::meaning(name))
        .or_else(|| exit::meaning(name))
        .or_else(|| format::meaning(name))
        .or_else(|| io::meaning(name))
        .or_else(|| block::meaning(name))
        .or_else(|| math::meaning(name))
        .or_else(|| libc::meaning(name))
}

/// Gives meaning to all calls of functions without body.
pub fn link(program: &mut Program) {
    let uses = Uses::of(program);
    let models = models::append(program, uses);
    let names: Vec<String> = program
        .functions
        .iter()
        .map(|function| function.name.clone())
        .collect();
    let mut link = Link {
        globals: Globals::new(program, uses),
        names,
        models,
        warned: HashSet::default(),
        warnings: vec![],
    };
    for function in program.functions.iter_mut() {
        // Blocks that a split appends hold no calls that are left to rewrite.
        for block in function.blocks.ids() {
            link.block(function, block);
        }
        if verifier::is_atomic(&function.name) {
            verifier::make_atomic(function);
        }
        assertion::hoist(function);
    }
    let finish = link
        .models
        .get("__selvedge_finish")
        .map(|model| model.function);
    let main = &mut program.functions[program.main];
    exit::run_after(main, &mut link.globals, &link.models);
    link.globals.finish(program);
    if let Some(finish) = finish.filter(|_| uses.ends) {
        ends::add(program, finish);
    }
    program.warnings.extend(link.warnings);
}

/// The state of one pass over a program.
struct Link {
    globals: Globals,
    /// Names of the functions with a body.
    names: Vec<String>,
    models: Models,
    /// Functions without body that were warned of.
    warned: HashSet<String, FxBuildHasher>,
    warnings: Vec<(Loc, String)>,
}

impl Link {
    /// Rewrites the calls of one block, which may split it.
    fn block(&mut self, function: &mut Function, block: BlockId) {
        let Link {
            globals,
            names,
            models,
            warned,
            warnings,
        } = self;
        if !function.blocks[block]
            .instrs
            .iter()
            .any(|instr| library_call(names, &instr.kind).is_some())
        {
            return;
        }
        let instrs = std::mem::take(&mut function.blocks[block].instrs);
        let end = std::mem::replace(&mut function.blocks[block].end, Terminator::Stop);
        let end_loc = function.blocks[block].end_loc;
        let mut site = Site::new(function, globals, models, block);
        for instr in instrs {
            let Some((dst, call, mut args)) = library_call(names, &instr.kind) else {
                site.push(instr);
                continue;
            };
            let has_model = models.contains_key(models::plain_name(&call.name));
            if call.record_result && !has_model && !args.is_empty() {
                // The object that receives the result is left as it is: free.
                args.remove(0);
            }
            site.enter(instr.loc, &call, dst, args);
            let name = models::plain_name(&call.name);
            if site.uses().cancels
                && pthread::is_cancellation_point(name)
                && let Err(reason) = site.call_with("__selvedge_testcancel", vec![])
            {
                site.emit(InstrKind::Unsupported { reason });
            }
            if let Some(model) = models.get(name) {
                if let Err(reason) = site.call_model(model) {
                    refuse(&mut site, reason);
                }
                continue;
            }
            if write(&mut site, &call) && warned.insert(call.name.clone()) {
                let text = format!(
                    "`{}` has no body: its result is taken to be any value",
                    call.name
                );
                warnings.push((instr.loc, text));
            }
            if site.ended() {
                return;
            }
        }
        site.finish(end, end_loc);
    }
}

/// The call that an instruction is, if it is one that this stage rewrites: its result, the function, its arguments.
fn library_call(
    names: &[String],
    kind: &InstrKind,
) -> Option<(Option<Reg>, ExternCall, Vec<Operand>)> {
    match kind {
        InstrKind::Call {
            dst,
            callee: Callee::Extern(call),
            args,
        } => Some((*dst, call.clone(), args.clone())),
        // A call of these is the event that matters, whether the program gives them a body or not.
        InstrKind::Call {
            dst,
            callee: Callee::Direct(callee),
            args,
        } if verifier::is_error(&names[callee.index()]) => {
            let name = names[callee.index()].clone();
            Some((
                *dst,
                ExternCall {
                    name,
                    ret_bits: None,
                    pointer_args: vec![],
                    pointees: vec![],
                    record_result: false,
                },
                args.clone(),
            ))
        }
        _ => None,
    }
}

/// Writes the instructions of a call; whether the function is unknown and the user should hear of it.
fn write(site: &mut Site, call: &ExternCall) -> bool {
    let outcome = match meaning(&call.name) {
        Some(meaning) => meaning(site),
        None => return unknown(site, call),
    };
    if let Err(reason) = outcome {
        refuse(site, reason);
    }
    false
}

/// A call that is not supported: its result, if it is used, is free.
fn refuse(site: &mut Site, reason: String) {
    site.emit(InstrKind::Unsupported { reason });
    any_result(site);
}

/// A function that nobody knows.
fn unknown(site: &mut Site, call: &ExternCall) -> bool {
    let pointers = call
        .pointer_args
        .iter()
        .enumerate()
        .filter(|(_, pointer)| **pointer);
    let reaches_memory = pointers
        .filter_map(|(index, _)| site.arg(index).ok())
        .any(|arg| !site.is_no_memory(arg));
    if reaches_memory {
        let reason = format!(
            "a call of `{}`, which has no body and receives a pointer to memory of the program,",
            call.name
        );
        site.emit(InstrKind::Unsupported { reason });
    }
    any_result(site);
    !reaches_memory
}

/// The result, if it is used, is free.
fn any_result(site: &mut Site) {
    if let Some(dst) = site.dst() {
        site.emit(InstrKind::Nondet {
            dst,
            source: NondetSource::External,
        });
    }
}
