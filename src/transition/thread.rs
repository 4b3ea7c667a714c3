//! Threads: creation and join.

use super::automaton::Key;
use super::carry::{NUMBER, Objects, Word, carries};
use super::explore::Explorer;
use super::knowledge::Creation;
use super::object::What;
use super::state::EdgeState;
use crate::base::Loc;
use crate::event::{ThreadId, ThreadSet};
use crate::exec::Domain;
use crate::ir::{FuncId, Undefined};
use crate::term::TermId;
use crate::transition::faults::{self, Fault};

/// Threads besides main, at most.
const THREADS: usize = 1023;

impl Explorer<'_> {
    /// The function at an address, if it is known.
    pub fn function_at(&self, target: TermId) -> Option<FuncId> {
        let address = u64::try_from(self.terms.as_constant(target)?).ok()?;
        let slot = self.knowledge.space.slot(address)?;
        match self.knowledge.object(slot)?.what {
            What::Function(function) if self.knowledge.space.base(slot) == address => {
                Some(function)
            }
            _ => None,
        }
    }

    /// Creates a thread; its number. `None`, and the edge ends, where that cannot be modelled. A place is passed at most
    /// once: it is in main, which nobody calls again, and in no loop, or else in a known iteration of the first edge.
    pub fn spawn(
        &mut self,
        state: &mut EdgeState,
        start: TermId,
        arg: &Word,
        bits: u16,
        loc: Loc,
    ) -> Option<TermId> {
        let position = self.position(state);
        let many = self.thread == 0 && self.creates_family(state, position.is_none());
        let position = if many {
            Some(self.some_position(state))
        } else {
            position
        };
        let why = match (self.thread, state.section, position) {
            (0, 0, Some(_)) if self.leaks(arg.term, &arg.objects) => {
                "a thread gets the address of a variable in a loop"
            }
            (0, 0, Some(_)) => "",
            (0, 0, None) => "creation of threads in a loop that is not known to end",
            (0, ..) => "creation of a thread in an atomic section",
            _ => "creation of threads by others than main",
        };
        let (Some(position), "") = (position, why) else {
            self.unsupported(state, why);
            return None;
        };
        let Some(function) = self.function_at(start) else {
            self.unsupported(state, "a start routine that is not known");
            return None;
        };
        if !self.program.functions[function].fits(1, false) {
            let never = self.terms.fals();
            self.undefined_unless(state, never, Undefined::Call);
            return None;
        }
        let at = state.stack();
        let known = self
            .knowledge
            .creations
            .iter()
            .position(|known| known.at == at);
        // Main's way further may depend on what this thread does: the next pass knows. In loops, some of that is known.
        if known.is_none() {
            let in_loop = state.frames.iter().any(|f| !f.iterations.is_empty());
            let patience = if in_loop { self.known_threads } else { 0 };
            if self.surprises > patience {
                self.knowledge.note_change();
                return None;
            }
            self.surprises += 1;
        }
        let index = known.unwrap_or_else(|| {
            self.knowledge.creations.push(Creation {
                at,
                position,
                loc,
                function,
                many,
            });
            self.knowledge.note_change();
            self.knowledge.creations.len() - 1
        });
        if index >= THREADS || self.knowledge.creations[index].function != function {
            self.unsupported(state, "more threads than can be told apart");
            return None;
        }
        let child = index as u32 + 1;
        let code = &self.program.functions[function];
        if let Some(param) = code.params.first() {
            let key = Key::Register {
                thread: child,
                chain: 0,
                reg: *param,
            };
            let width = code.regs[*param].bits;
            let value = self.fit(state, arg.clone(), width)?;
            self.knowledge.note_addresses(&key, &value.objects);
            self.note_free(&key, value.term);
            let fact = self.terms.fact(value.term);
            self.knowledge.note_value(&key, &fact, width);
            state.changed.insert(key, value.term);
        }
        let start = self.start_of(function);
        let steady = self.knowledge.steady(child);
        self.note_cells(state, child, &start, &steady);
        let tru = self.terms.tru();
        self.set_variable(state, Key::Started(child), tru);
        state.beside.insert(ThreadId(child));
        state.wrote = true;
        Some(if many {
            self.member_handle(state, bits)
        } else {
            self.terms.constant(u128::from(child), bits)
        })
    }

    /// Waits for the end of a thread; its result, and what that holds. If it can be one thread alone, that one
    /// does not run beside main any more.
    pub fn join_thread(
        &mut self,
        state: &mut EdgeState,
        thread: TermId,
        wanted: bool,
    ) -> (TermId, Objects) {
        let mut objects = Objects::new();
        let bits = self.terms.bits(thread);
        let mut done = self.terms.fals();
        let mut awaited = ThreadSet::new();
        let mut value = self.terms.constant(0, self.program.model.pointer_bits());
        for id in 0..=self.knowledge.creations.len() as u32 {
            if self.knowledge.is_many(id) {
                continue;
            }
            let number = self.terms.constant(u128::from(id), bits);
            let this = self.terms.eq(thread, number);
            if self.terms.as_constant(this) == Some(0) {
                continue;
            }
            // A thread that waits for itself does so for ever.
            if id != self.thread {
                awaited.insert(ThreadId(id));
            }
            let ended = if faults::on(Fault::CutJoinPasses) {
                self.terms.tru()
            } else {
                self.value(&Key::Ended(id))
            };
            let both = self.terms.and(this, ended);
            done = self.terms.or(done, both);
            if wanted {
                let result = self.value(&Key::Result(id));
                value = self.terms.ite(this, result, value);
                objects.extend(self.knowledge.addresses(&Key::Result(id)));
            }
        }
        let member = self.is_member(thread);
        let of_one = self.terms.as_constant(member) == Some(0);
        if !of_one {
            if !faults::on(Fault::FamilyJoinWaits) {
                done = self.terms.or(done, member);
            }
            if wanted {
                let result = self.input(state, self.program.model.pointer_bits(), None);
                value = self.terms.ite(member, result, value);
                objects.insert(NUMBER);
            }
        }
        if self.program.deadlocks {
            self.wait_for_end(state, thread, done);
        } else {
            self.block_unless(state, done);
        }
        state.joined = true;
        if !of_one {
            // One of many has ended, at most.
        } else if awaited.len() == 1 || faults::on(Fault::CutJoinForgets) {
            // It is over, and main creates nothing twice.
            awaited.iter().for_each(|id| state.beside.remove(id));
        }
        if carries(&objects) {
            (value, self.among(objects, value))
        } else {
            (value, self.number(value))
        }
    }
}
