//! The executor alone, over the smallest domain there is: one thread, addresses that are constants, memory byte by byte.

use super::{Call, Domain, Exit, MutexUse, Path, Purpose, arguments, leave, operand, rvalue, step};
use crate::analysis::Facts;
use crate::base::Loc;
use crate::base::id::Id;
use crate::base::sorted::SortedMap;
use crate::ir::{
    AllocKind, BlockId, BlockSource, EBUSY, FuncId, GlobalId, MemOrder, NondetSource, Note,
    Operand, PointerCheck, Program, Property, Reg, RmwOp, Rvalue, Undefined, parse,
};
use crate::term::{Evaluator, TermId, Terms};

/// One path, in one function.
#[derive(Clone)]
struct State {
    path: Path,
    function: FuncId,
    regs: Vec<Option<TermId>>,
    memory: SortedMap<u64, TermId>,
}

/// Paths go on apart, each to its end.
struct Plain<'a> {
    program: &'a Program,
    facts: Facts,
    terms: Terms,
    /// Notes of the way: orders, undefined behaviour, things that are not modelled.
    notes: Vec<String>,
}

impl<'a> Plain<'a> {
    fn new(program: &'a Program) -> Plain<'a> {
        Plain {
            program,
            facts: Facts::of(program),
            terms: Terms::new(),
            notes: Vec::new(),
        }
    }

    /// Executes a function with these registers: the paths that return, and their results.
    fn run(&mut self, state: State) -> Vec<(State, Option<TermId>)> {
        let code = &self.program.functions[state.function];
        let (mut todo, mut done) = (vec![(code.entry, state)], Vec::new());
        while let Some((block, state)) = todo.pop() {
            let block = &code.blocks[block];
            let mut states = vec![state];
            for instr in &block.instrs {
                let mut after = Vec::new();
                for state in states {
                    let first = step(self, state, instr, &mut after).expect("it never stops");
                    after.extend(first);
                }
                after.retain(|state| !state.path.is_dead(&self.terms));
                states = after;
            }
            for mut state in states {
                let exit = leave(self, &mut state, &block.end, |plain, state, cond, to| {
                    let mut taken = state.clone();
                    taken.path.restrict(&mut plain.terms, cond);
                    todo.push((to, taken));
                    let not = plain.terms.not(cond);
                    state.path.restrict(&mut plain.terms, not);
                });
                match exit {
                    Some(Exit::Block(to)) => todo.push((to, state)),
                    Some(Exit::Return(value)) => done.push((state, value)),
                    _ => {}
                }
            }
            todo.retain(|(_, state)| !state.path.is_dead(&self.terms));
        }
        done
    }

    /// Executes the main function; its paths to a return.
    fn main(&mut self) -> Vec<(State, Option<TermId>)> {
        let function = self.program.main;
        let state = State {
            path: Path::always(&self.terms),
            function,
            regs: vec![None; self.program.functions[function].regs.len()],
            memory: SortedMap::new(),
        };
        self.run(state)
    }

    fn address(&self, addr: TermId) -> u64 {
        self.terms.as_constant(addr).expect("a constant address") as u64
    }
}

impl Domain for Plain<'_> {
    type State = State;
    type Value = TermId;
    type Places = u64;
    type Stop = ();

    fn terms(&mut self) -> &mut Terms {
        &mut self.terms
    }
    fn program(&self) -> &Program {
        self.program
    }
    fn facts(&self) -> &Facts {
        &self.facts
    }
    fn function(&self, state: &State) -> FuncId {
        state.function
    }
    fn path(state: &mut State) -> &mut Path {
        &mut state.path
    }
    fn note_order(&mut self, order: Option<MemOrder>) {
        self.notes.extend(order.map(|order| format!("{order:?}")));
    }
    fn one_step<T>(&mut self, run: impl FnOnce(&mut Self) -> T) -> T {
        run(self)
    }
    fn advance(&mut self, _: &mut State) {}
    fn register(&self, state: &State, reg: Reg) -> Option<TermId> {
        state.regs[reg.index()]
    }
    fn unset(&mut self, bits: u16) -> TermId {
        self.terms.constant(0, bits)
    }
    fn global(&mut self, id: GlobalId) -> u64 {
        (u64::from(id.0) + 1) << 16
    }
    fn code(&mut self, id: FuncId) -> u64 {
        u64::from(id.0) + 1
    }
    fn value(&mut self, state: &State, value: Operand) -> TermId {
        operand(self, state, value)
    }
    fn term(value: &TermId) -> TermId {
        *value
    }
    fn set(&mut self, state: &mut State, dst: Reg, value: TermId) {
        state.regs[dst.index()] = Some(value);
    }
    fn fit(&mut self, _: &State, value: TermId, bits: u16) -> Option<TermId> {
        Some(self.terms.fit(value, bits))
    }
    fn compute(
        &mut self,
        _: &mut State,
        value: &Rvalue,
        (_, terms): (&[Operand], &[TermId]),
        bits: u16,
    ) -> Option<TermId> {
        Some(rvalue::rvalue(&mut self.terms, value, bits, terms))
    }
    fn offset(
        &mut self,
        _: &mut State,
        _: [Operand; 2],
        [base, offset]: [TermId; 2],
    ) -> Option<TermId> {
        Some(self.terms.add(base, offset))
    }
    fn input(&mut self, _: &State, _: NondetSource, bits: u16) -> TermId {
        self.terms.fresh("input", bits)
    }
    fn reach(
        &mut self,
        _: &mut State,
        addr: TermId,
        _: u32,
        align_bytes: u8,
        _: Purpose,
    ) -> Option<u64> {
        let addr = self.address(addr);
        assert!(addr.is_multiple_of(u64::from(align_bytes)));
        Some(addr)
    }
    fn read(&mut self, state: &mut State, at: &u64, bytes: u32, _: Purpose) -> Option<TermId> {
        let zero = self.terms.constant(0, 8);
        let byte = |i: u32| *state.memory.get(&(at + u64::from(i))).unwrap_or(&zero);
        let terms = &mut self.terms;
        Some((1..bytes).fold(byte(0), |low, i| terms.concat(byte(i), low)))
    }
    fn write(
        &mut self,
        state: &mut State,
        at: u64,
        value: &TermId,
        when: TermId,
        _: Purpose,
    ) -> Option<()> {
        for i in 0..self.terms.bits(*value) / 8 {
            let at = at + u64::from(i);
            let old = self.read(state, &at, 1, Purpose::Load)?;
            let byte = self.terms.extract(*value, i * 8, 8);
            let byte = self.terms.ite(when, byte, old);
            state.memory.insert(at, byte);
        }
        Some(())
    }
    fn updated(
        &mut self,
        _: &mut State,
        op: RmwOp,
        &old: &TermId,
        &operand: &TermId,
    ) -> Option<TermId> {
        Some(rvalue::update(&mut self.terms, op, old, operand))
    }
    fn is_expected(&mut self, _: &mut State, &old: &TermId, &expected: &TermId) -> Option<TermId> {
        Some(self.terms.eq(old, expected))
    }
    fn alloc(&mut self, state: &mut State, _: TermId, _: TermId, _: &AllocKind) -> Option<TermId> {
        self.unsupported(state, "allocation");
        None
    }
    fn end_life(&mut self, _: &mut State, _: TermId) -> Option<()> {
        Some(())
    }
    fn free(&mut self, _: &mut State, _: TermId) -> Option<()> {
        Some(())
    }
    fn object_size(&mut self, _: &mut State, _: TermId) -> Option<TermId> {
        None
    }
    fn block(
        &mut self,
        _: &mut State,
        _: TermId,
        _: (BlockSource, TermId),
        _: TermId,
        _: u8,
    ) -> Option<()> {
        None
    }
    fn spawn(&mut self, _: &mut State, _: TermId, _: &TermId, _: u16, _: Loc) -> Option<TermId> {
        None
    }
    fn join(&mut self, _: &mut State, _: TermId, _: bool) -> Option<TermId> {
        None
    }
    fn thread(&mut self, _: &mut State) -> Option<u32> {
        Some(0)
    }
    fn mutex(&mut self, _: &mut State, addr: TermId, _: MutexUse) -> Option<u64> {
        Some(self.address(addr))
    }
    fn is_free(&mut self, state: &mut State, mutex: &u64, _: MutexUse) -> TermId {
        let byte = self.read(state, mutex, 1, Purpose::Load);
        let zero = self.terms.constant(0, 8);
        self.terms.eq(byte.expect("it can be read"), zero)
    }
    fn set_mutex(&mut self, state: &mut State, mutex: u64, operation: MutexUse, when: TermId) {
        let held = matches!(operation, MutexUse::Lock | MutexUse::TryLock);
        let word = self.terms.constant(u128::from(held), 8);
        self.write(state, mutex, &word, when, Purpose::Store);
    }
    fn leak(&mut self, _: &mut State, _: Property, _: bool) -> Option<()> {
        Some(())
    }
    fn needs_value(&mut self, _: &mut State, _: &u64, _: u32) -> Option<()> {
        Some(())
    }
    fn pointers(&mut self, _: &mut State, _: PointerCheck, _: &[TermId]) -> Option<()> {
        Some(())
    }
    fn expose(&mut self, _: &mut State, _: TermId) -> Option<()> {
        Some(())
    }
    fn sync_use(&mut self, _: &mut State, _: TermId) -> Option<()> {
        Some(())
    }
    fn note(&mut self, _: &mut State, _: TermId, _: Note) -> Option<TermId> {
        Some(self.terms.constant(0, 32))
    }
    fn set_note(&mut self, _: &mut State, _: TermId, _: Note, _: TermId) -> Option<()> {
        Some(())
    }
    fn copied(&mut self, _: &mut State, _: TermId, _: TermId, _: bool) -> Option<()> {
        Some(())
    }
    fn fence(&mut self, _: &mut State) {}
    fn begin_section(&mut self, _: &mut State, _: bool) -> Option<()> {
        Some(())
    }
    fn end_section(&mut self, _: &mut State) {}
    fn block_unless(&mut self, state: &mut State, cond: TermId) {
        state.path.restrict(&mut self.terms, cond);
    }
    fn assert(&mut self, state: &mut State, cond: TermId, _: Property, _: Loc) -> Option<()> {
        state.path.restrict(&mut self.terms, cond);
        Some(())
    }
    fn undefined_unless(&mut self, state: &mut State, cond: TermId, why: Undefined) {
        self.notes.push(format!("{why:?}"));
        state.path.restrict(&mut self.terms, cond);
    }
    fn unsupported(&mut self, _: &mut State, what: &str) {
        self.notes.push(what.to_string());
    }
    /// Functions 1 and 2, one for each value of the lowest bit.
    fn functions(&mut self, _: &mut State, target: TermId) -> Option<Vec<(FuncId, TermId)>> {
        let odd = self.terms.extract(target, 0, 1);
        let even = self.terms.not(odd);
        Some(vec![(FuncId(1), even), (FuncId(2), odd)])
    }
    fn selector(
        &mut self,
        state: &mut State,
        value: Operand,
        _: &[(u128, BlockId)],
    ) -> Option<TermId> {
        Some(operand(self, state, value))
    }
    fn enter(
        &mut self,
        state: State,
        call: Call<'_, TermId>,
        after: &mut Vec<State>,
    ) -> Result<(), ()> {
        let code = &self.program.functions[call.function];
        let mut inner = State {
            function: call.function,
            regs: vec![None; code.regs.len()],
            ..state.clone()
        };
        for (param, value) in arguments(self, &state, code, call.args).ok_or(())? {
            inner.regs[param.index()] = Some(value);
        }
        for (end, value) in self.run(inner) {
            let mut back = State {
                path: end.path,
                memory: end.memory,
                ..state.clone()
            };
            if let Some(dst) = call.dst {
                back.regs[dst.index()] = value;
            }
            after.push(back);
        }
        Ok(())
    }
}

/// Checks what main returns for some values of its inputs (`None` if it does not), and what is noted.
fn check(text: &str, results: &[(u128, Option<u128>)], notes: &[&str]) {
    let program = parse::parse(text).expect("a program");
    let mut plain = Plain::new(&program);
    let paths = plain.main();
    for (input, expected) in results {
        let assignment = |_| *input;
        let mut evaluator = Evaluator::new(&plain.terms, &assignment);
        let taken = paths
            .iter()
            .filter(|(state, _)| evaluator.holds(state.path.term()));
        let values: Vec<Option<TermId>> = taken.map(|(_, value)| *value).collect();
        assert!(values.len() <= 1, "paths exclude each other");
        let found = values.first().map(|value| value.expect("a result"));
        let found = found.map(|value| evaluator.value(value));
        assert_eq!(found, *expected, "input {input}");
    }
    assert_eq!(plain.notes, notes);
}

#[test]
fn updates_store_what_becomes_of_the_old_value() {
    let text = r#"type t0 = s32
global g0 "x": t0, 4 bytes align 4
main function f0 "main" () -> 32 {
b0:
    r0:32s = rmw.add.acqrel &g0, 5:32
    r1:32s = cmpxchg.seqcst.relaxed &g0, 5:32, 7:32
    r2:32s = cmpxchg.seqcst.relaxed &g0, 5:32, 9:32
    store &g0+2, 1:16
    r3:32s = load &g0
    r4:32s = mul r1, 100:32
    r5:32s = add r4, r2
    r6:32s = add r5, r3
    return r6
}
"#;
    let notes = ["AcqRel", "SeqCst", "SeqCst"];
    check(text, &[(0, Some(500 + 7 + 0x1_0007))], &notes);
}

#[test]
fn decisions_are_tested_in_order() {
    let text = r#"main function f0 "main" () -> 32 {
b0:
    r0:32s = nondet input
    switch r0, 1 => b1, 2 => b2, default b3
b1:
    return 10:32
b2:
    assume 0:1
    return 20:32
b3:
    r1:1u = slt r0, 5:32
    branch r1, b1, b4
b4:
    return r0
}
"#;
    let results = [
        (0, Some(10)),
        (1, Some(10)),
        (2, None),
        (3, Some(10)),
        (8, Some(8)),
    ];
    check(text, &results, &[]);
}

#[test]
fn calls_fit_their_arguments_and_choose_a_function() {
    let text = r#"main function f0 "main" () -> 32 {
b0:
    r0:64u = nondet input
    r1:32s = call *r0(511:32)
    r2:32s = call f1(767:32)
    r3:32s = sub r2, r1
    return r3
}
function f1 "byte" (r0:8u) -> 32 {
b0:
    r1:32s = zext r0
    return r1
}
function f2 "pair" (r0:32u, r1:32u) -> 32 {
b0:
    return r0
}
"#;
    // The second function has more parameters than there are arguments.
    check(text, &[(0, Some(0)), (1, None)], &["Call"]);
}

#[test]
fn a_mutex_is_taken_once() {
    let text = r#"type t0 = s32
global g0 "m": t0, 4 bytes align 4
main function f0 "main" () -> 32 {
b0:
    r0:32s = trylock &g0
    r1:32s = trylock &g0
    unlock &g0
    lock &g0
    r2:32s = sub r1, r0
    r3:32s = nondet input
    r4:1u = eq r3, 0:32
    branch r4, b1, b2
b1:
    return r2
b2:
    lock &g0
    return r3
}
"#;
    let notes = ["SeqCst"; 5];
    check(text, &[(0, Some(EBUSY)), (1, None)], &notes);
}
