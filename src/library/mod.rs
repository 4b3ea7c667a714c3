//! Library functions: every call of a function without body (pthread, C11 threads, libc and `__VERIFIER_*`) becomes
//! instructions of the typed program.
//!
//! One table per family maps a name to the function that writes its instructions ([`Meaning`]); what is simplest
//! said in C has a model in C ([`models`]). What is in neither is an error if nothing declares it, and otherwise what
//! [`External`] says.

mod assertion;
mod block;
mod copies;
mod ends;
mod exit;
mod external;
pub mod faults;
mod flow;
mod format;
mod futex;
mod globals;
mod handles;
mod io;
mod kind;
mod libc;
mod listing;
mod math;
mod misuse;
mod models;
mod mutex;
mod name;
mod need;
mod owner;
mod preference;
mod primitive;
mod pthread;
mod scalar;
mod signal;
mod site;
mod sync;
mod system;
mod text;
mod threads;
mod uses;
mod verifier;
mod written;

#[cfg(test)]
mod tests;

pub use external::{External, Options, Undeclared};
pub use listing::{Standing, listed};
pub use preference::Preference;

use crate::base::Diagnostic;
use crate::base::id::Id;
use crate::ir::lower::{self, Unit, lower};
use crate::ir::reach::reached_functions;
use crate::ir::{
    BlockId, Callee, Check, Checks, DataModel, ExternCall, Function, InstrKind, Operand, Program,
    Reg, Terminator,
};
use copies::Copies;
use ends::Ends;
use external::Externals;
use globals::Globals;
use models::Models;
use name::plain_name;
use need::Needs;
use site::{Meaning, Site};
use std::sync::Arc;
use text::Variant;
use uses::Uses;

/// The meaning of a library function.
fn meaning(name: &str) -> Option<Meaning> {
    let name = plain_name(name);
    verifier::meaning(name)
        .or_else(|| mutex::meaning(name))
        .or_else(|| primitive::meaning(name))
        .or_else(|| pthread::meaning(name))
        .or_else(|| sync::meaning(name))
        .or_else(|| threads::meaning(name))
        .or_else(|| signal::meaning(name))
        .or_else(|| exit::meaning(name))
        .or_else(|| format::meaning(name))
        .or_else(|| io::meaning(name))
        .or_else(|| block::meaning(name))
        .or_else(|| math::meaning(name))
        .or_else(|| libc::meaning(name))
}

/// The typed program of translation units, with a meaning for every call. Equal string literals are one object, unless the
/// program compares addresses of those that occur at several places.
///
/// # Errors
/// All that lowering finds wrong, or what [`link`] says.
pub fn read(
    units: &[Unit],
    model: DataModel,
    options: &Options,
) -> Result<Program, Vec<Diagnostic>> {
    let mut meaning = lower::Meaning {
        apart: false,
        checks: options.checks,
        entry: options.entry.clone(),
    };
    let mut program = lower(units, model, meaning.clone())?;
    if flow::compares_literals(&program) {
        meaning.apart = true;
        program = lower(units, model, meaning)?;
    }
    program.malloc_may_fail = options.malloc_may_fail;
    program.deadlocks = options.checks.contains(Check::Deadlock);
    link(&mut program, options)?;
    if !options.open && !program.open_calls.is_empty() {
        let open = Options {
            open: true,
            ..options.clone()
        };
        program.open = Some(Arc::new(read(units, model, &open)?));
    }
    Ok(program)
}

/// Gives meaning to all calls of functions without body.
///
/// # Errors
/// Calls that can be reached of functions that nothing declares or defines, as far as `options` says that these are
/// errors. They are left without a meaning.
pub fn link(program: &mut Program, options: &Options) -> Result<(), Vec<Diagnostic>> {
    system::name_calls(program);
    let reached = reached_functions(program);
    let mut uses = Uses::of(program);
    uses.deadlocks = options.checks.contains(Check::Deadlock);
    if options.checks.contains(Check::Misuse) && !uses.deadlocks {
        uses.misuse = Needs::of(program);
    }
    program.handles_signals = signal::has_handlers(program, &reached);
    program.open_calls = open_calls(program, &reached);
    let copies = Copies::of(program, uses.misuse.destroys_any());
    let variant = Variant {
        deadlocks: uses.deadlocks,
        writers_first: options.rwlock == Preference::Any,
    };
    let mut wanted = uses.models(program);
    if !options.open {
        wanted.retain(|name| !text::is_open(name));
    }
    let models = models::append(program, &wanted, variant);
    let names: Vec<String> = program
        .functions
        .iter()
        .map(|function| function.name.clone())
        .collect();
    let mut link = Link {
        globals: Globals::new(program, uses),
        externals: Externals::new(options, std::mem::take(&mut program.undeclared), &names),
        names,
        models,
        copies,
        checks: options.checks,
        malloc_may_fail: options.malloc_may_fail,
    };
    for (index, function) in program.functions.iter_mut().enumerate() {
        // Models are always reached: the functions that they call are known.
        link.externals.is_reached = reached.get(index).copied().unwrap_or(true);
        // Blocks that a split appends hold no calls that are left to rewrite.
        for block in function.blocks.ids() {
            link.block(function, block);
        }
        if verifier::is_atomic(&function.name) {
            verifier::make_atomic(function);
        }
        assertion::hoist(function);
    }
    let model = |name: &str| link.models.get(name).map(|model| model.function);
    let ends = model("__selvedge_finish").map(|finish| Ends {
        start: model("__selvedge_handle_start"),
        finish,
    });
    let main = &mut program.functions[program.main];
    if variant.writers_first && link.models.contains_key("__selvedge_rwlock_take") {
        preference::choose(main, &mut link.globals);
    }
    exit::run_after(main, &mut link.globals, &link.models);
    exit::ask_after(main, options.checks);
    link.globals.finish(program);
    if let Some(ends) = ends.filter(|_| uses.ends) {
        ends::add(program, ends);
    }
    if options.checks.contains(Check::Undefined) {
        program.functions.iter_mut().for_each(written::settle);
    }
    link.externals.finish(program)
}

/// Functions whose results C leaves open that reached functions call, in the order of the text.
fn open_calls(program: &Program, reached: &[bool]) -> Vec<String> {
    let functions = program.functions.iter().zip(reached);
    let functions = functions.filter(|(_, is_reached)| **is_reached);
    let blocks = functions.flat_map(|(function, _)| function.blocks.iter());
    let mut names = Vec::new();
    for instr in blocks.flat_map(|block| &block.instrs) {
        if let InstrKind::Call {
            callee: Callee::Extern(call),
            ..
        } = &instr.kind
            && let name = plain_name(&call.name)
            && text::is_open(name)
            && !names.iter().any(|known| known == name)
        {
            names.push(name.to_string());
        }
    }
    names
}

/// The state of one pass over a program.
struct Link {
    globals: Globals,
    /// Names of the functions with a body.
    names: Vec<String>,
    models: Models,
    externals: Externals,
    copies: Copies,
    /// Checks that the program is read for.
    checks: Checks,
    malloc_may_fail: bool,
}

impl Link {
    /// Rewrites the calls of one block, which may split it.
    fn block(&mut self, function: &mut Function, block: BlockId) {
        let Link {
            globals,
            names,
            models,
            externals,
            checks,
            malloc_may_fail,
            copies,
        } = self;
        if !function.blocks[block].instrs.iter().any(|instr| {
            library_call(names, &instr.kind).is_some() || copies.is_revival(&instr.kind)
        }) {
            return;
        }
        let instrs = std::mem::take(&mut function.blocks[block].instrs);
        let end = std::mem::replace(&mut function.blocks[block].end, Terminator::Stop);
        let end_loc = function.blocks[block].end_loc;
        let mut site = Site::new(function, globals, models, block, *checks);
        site.malloc_may_fail = *malloc_may_fail;
        for instr in instrs {
            let Some((dst, call, mut args)) = library_call(names, &instr.kind) else {
                let revival = copies.is_revival(&instr.kind).then(|| instr.clone());
                site.push(instr);
                if let Some(instr) = revival {
                    site.loc = instr.loc;
                    copies.revive(&mut site, &instr.kind);
                }
                continue;
            };
            let has_model = models.contains_key(plain_name(&call.name));
            if call.record_result && !has_model && !args.is_empty() {
                // The object that receives the result is left as it is: free.
                args.remove(0);
            }
            site.enter(instr.loc, &call, dst, args);
            let name = if site.uses().handles {
                handles::model(plain_name(&call.name))
            } else {
                plain_name(&call.name)
            };
            if site.uses().cancels
                && pthread::is_cancellation_point(name)
                && let Err(reason) = site.call_with("__selvedge_testcancel", vec![])
            {
                site.emit(InstrKind::Unsupported { reason });
            }
            copies.before(&mut site, name);
            if let Err(reason) = misuse::before(&mut site, name) {
                site.emit(InstrKind::Unsupported { reason });
            }
            if let Some(model) = models.get(name) {
                if let Err(reason) = site.call_model(model) {
                    site.refuse(reason);
                }
            } else {
                match meaning(&call.name).filter(|_| !externals.is_misspelt(&call.name)) {
                    Some(meaning) => {
                        if let Err(reason) = meaning(&mut site) {
                            site.refuse(reason);
                        }
                    }
                    None => externals.call(&mut site, &call),
                }
                if site.ended() {
                    return;
                }
            }
            copies.behind(&mut site, &call);
            if let Err(reason) = misuse::behind(&mut site, name) {
                site.emit(InstrKind::Unsupported { reason });
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
