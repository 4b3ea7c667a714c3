//! Flow of thread handles, and of addresses of string literals that occur more than once, through a program, and
//! whether two of them are ever compared.
//!
//! No order of instructions, no values: a register may hold (a part of) one, or it may not; an object likewise. What is
//! reached through a pointer that is not seen to be of one object may be any object whose address the program gives away.
//! Calls of `pthread_equal`, operators with such values on both sides, and addresses that are computed from one, compare.

use super::name::plain_name;
use crate::base::id::Id;
use crate::base::sorted::SortedSet;
use crate::ir::{
    Callee, ExternCall, FuncId, GlobalId, InstrKind, Operand, Operands, Program, Reg, Rvalue,
    Terminator,
};

/// An object of which the program text says which it is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum NamedObject {
    Global(GlobalId),
    /// A local variable: the function and the register with its address.
    Local(FuncId, Reg),
    /// All others.
    Other,
}

/// Comparison of handles: true if two may be compared, or a handle may become a part of an address.
pub(super) fn compares_handles(program: &Program) -> bool {
    compares(program, Source::Handles)
}

/// Comparison of literals: true if addresses of equal string literals at different places of the program may be
/// compared.
pub(super) fn compares_literals(program: &Program) -> bool {
    !program.repeated.is_empty() && compares(program, Source::Literals)
}

/// Values whose flow is followed.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Source {
    Handles,
    Literals,
}

fn compares(program: &Program, source: Source) -> bool {
    let mut flow = Flow {
        source,
        pointed: vec![false; program.functions.len()],
        program,
        definitions: definitions(program),
        given: SortedSet::new(),
        regs: program
            .functions
            .iter()
            .map(|f| vec![false; f.regs.len()])
            .collect(),
        returns: vec![false; program.functions.len()],
        objects: SortedSet::new(),
        passed: false,
        changed: true,
        compared: false,
    };
    flow.give_away();
    while std::mem::take(&mut flow.changed) && !flow.compared {
        flow.round();
    }
    flow.compared
}

/// The operands of an instruction through which an address may flow.
fn operands(kind: &InstrKind) -> Operands {
    match kind {
        InstrKind::Assign { .. }
        | InstrKind::Load { .. }
        | InstrKind::Store { .. }
        | InstrKind::Rmw { .. }
        | InstrKind::CmpXchg { .. }
        | InstrKind::Call { .. } => kind.operands(),
        _ => Operands::new(),
    }
}

/// Definition of each register, by function: the single one, [`Definition::Many`] if there are more, `None` if there is
/// none.
fn definitions(program: &Program) -> Vec<Vec<Option<Definition>>> {
    program
        .functions
        .iter()
        .map(|function| {
            let mut found: Vec<Option<Definition>> = vec![None; function.regs.len()];
            let mut see = |reg: Reg, definition| {
                let known = &mut found[reg.index()];
                *known = Some(match known {
                    None => definition,
                    Some(_) => Definition::Many,
                });
            };
            for param in &function.params {
                see(*param, Definition::Many);
            }
            for instr in function.blocks.iter().flat_map(|block| &block.instrs) {
                match &instr.kind {
                    InstrKind::Assign { dst, value } => match value {
                        Rvalue::Use(a) | Rvalue::Offset { base: a, .. } => {
                            see(*dst, Definition::Step(*a));
                        }
                        _ => see(*dst, Definition::Many),
                    },
                    InstrKind::Alloc { dst, .. } => see(*dst, Definition::Alloc),
                    InstrKind::Load { dst, .. }
                    | InstrKind::Rmw { dst, .. }
                    | InstrKind::CmpXchg { dst, .. }
                    | InstrKind::Nondet { dst, .. }
                    | InstrKind::Call { dst: Some(dst), .. } => see(*dst, Definition::Many),
                    _ => {}
                }
            }
            found
        })
        .collect()
}

#[derive(Clone, Copy)]
enum Definition {
    Alloc,
    /// The same address, or another one in the same object.
    Step(Operand),
    Many,
}

struct Flow<'p> {
    program: &'p Program,
    source: Source,
    /// Functions whose address the program takes.
    pointed: Vec<bool>,
    definitions: Vec<Vec<Option<Definition>>>,
    /// Objects whose address is given away.
    given: SortedSet<NamedObject>,
    /// Registers, by function, that may hold a handle or the address of a literal; `returns` and `objects` likewise.
    regs: Vec<Vec<bool>>,
    returns: Vec<bool>,
    objects: SortedSet<NamedObject>,
    /// Arguments, results and values of keys of threads may hold one.
    passed: bool,
    changed: bool,
    compared: bool,
}

impl Flow<'_> {
    /// The object that an address is in.
    fn object(&self, function: FuncId, addr: Operand) -> NamedObject {
        let mut addr = addr;
        // A register that is defined by itself is no address of one object.
        for _ in 0..64 {
            match addr {
                Operand::GlobalAddr(id, _) => return NamedObject::Global(id),
                Operand::Reg(reg) => match self.definitions[function.index()][reg.index()] {
                    Some(Definition::Alloc) => return NamedObject::Local(function, reg),
                    Some(Definition::Step(from)) => addr = from,
                    _ => return NamedObject::Other,
                },
                _ => return NamedObject::Other,
            }
        }
        NamedObject::Other
    }

    /// Finds the objects that may be reached through pointers of which nothing is seen.
    fn give_away(&mut self) {
        let mut given = SortedSet::new();
        for part in self.program.globals.iter().flat_map(|global| &global.init) {
            match part.value {
                Operand::GlobalAddr(id, _) => {
                    given.insert(NamedObject::Global(id));
                }
                Operand::FuncAddr(id) => self.pointed[id.index()] = true,
                _ => {}
            }
        }
        for (id, function) in self.program.functions.iter_ids() {
            for block in function.blocks.iter() {
                for instr in &block.instrs {
                    let known = match &instr.kind {
                        InstrKind::Assign {
                            value: Rvalue::Use(_),
                            dst,
                        }
                        | InstrKind::Assign {
                            value: Rvalue::Offset { .. },
                            dst,
                        } => {
                            // Followed, unless the register has other values as well.
                            match self.definitions[id.index()][dst.index()] {
                                Some(Definition::Step(_)) => 1,
                                _ => 0,
                            }
                        }
                        InstrKind::Load { .. }
                        | InstrKind::Store { .. }
                        | InstrKind::Rmw { .. }
                        | InstrKind::CmpXchg { .. } => 1,
                        InstrKind::Call {
                            callee: Callee::Extern(call),
                            args,
                            ..
                        } => match plain_name(&call.name) {
                            "pthread_create" => 3,
                            "thrd_create" => 2,
                            "pthread_setspecific" | "tss_set" | "pthread_exit" => 0,
                            name if is_of_threads(name) => args.len(),
                            _ => 0,
                        },
                        _ => 0,
                    };
                    for operand in operands(&instr.kind) {
                        if let Operand::FuncAddr(to) = operand {
                            self.pointed[to.index()] = true;
                        }
                    }
                    for operand in operands(&instr.kind).into_iter().skip(known) {
                        given.insert(self.object(id, operand));
                    }
                }
                if let Terminator::Return(Some(value)) | Terminator::ThreadExit(value) = &block.end
                {
                    given.insert(self.object(id, *value));
                }
            }
        }
        self.given = given;
        let holders = self.program.globals.iter_ids().filter(|(_, global)| {
            let mut parts = global.init.iter();
            parts.any(|part| self.is_source(part.value))
        });
        self.objects = holders.map(|(id, _)| NamedObject::Global(id)).collect();
        if self
            .objects
            .iter()
            .any(|object| self.given.contains(object))
        {
            self.objects.insert(NamedObject::Other);
        }
    }

    /// Sources of the flow: true if an operand is the address of a literal that is followed.
    fn is_source(&self, operand: Operand) -> bool {
        self.source == Source::Literals
            && matches!(operand, Operand::GlobalAddr(id, _) if self.program.repeated.contains(&id))
    }

    fn is_held(&self, function: FuncId, operand: Operand) -> bool {
        match operand {
            Operand::Reg(reg) => self.regs[function.index()][reg.index()],
            _ => self.is_source(operand),
        }
    }

    fn hold(&mut self, function: FuncId, reg: Reg, held: bool) {
        let known = &mut self.regs[function.index()][reg.index()];
        self.changed |= held && !*known;
        *known |= held;
    }

    fn is_stored(&self, object: NamedObject) -> bool {
        let unseen = object == NamedObject::Other || self.given.contains(&object);
        self.objects.contains(&object) || unseen && self.objects.contains(&NamedObject::Other)
    }

    fn store(&mut self, object: NamedObject, held: bool) {
        if held {
            self.changed |= self.objects.insert(object);
            if self.given.contains(&object) {
                self.changed |= self.objects.insert(NamedObject::Other);
            }
        }
    }

    fn round(&mut self) {
        for (id, function) in self.program.functions.iter_ids() {
            for block in function.blocks.iter() {
                for instr in &block.instrs {
                    self.instr(id, &instr.kind);
                }
                match &block.end {
                    Terminator::Return(Some(value)) => {
                        let held = self.is_held(id, *value);
                        self.changed |= held && !self.returns[id.index()];
                        self.returns[id.index()] |= held;
                    }
                    Terminator::ThreadExit(value) => self.pass(self.is_held(id, *value)),
                    _ => {}
                }
            }
        }
        // Whatever may be called through a pointer may be a start routine.
        for (id, function) in self.program.functions.iter_ids() {
            let pointed = self.pointed[id.index()];
            self.pass(self.returns[id.index()] && pointed);
            if self.passed && pointed {
                for param in &function.params {
                    self.hold(id, *param, true);
                }
            }
        }
    }

    fn pass(&mut self, held: bool) {
        self.changed |= held && !self.passed;
        self.passed |= held;
    }

    fn instr(&mut self, id: FuncId, kind: &InstrKind) {
        match kind {
            InstrKind::Assign { dst, value } => {
                let all = value.operands();
                let held = all.iter().filter(|a| self.is_held(id, **a)).count();
                match value {
                    Rvalue::Binary(..) => self.compared |= held == 2,
                    Rvalue::Offset { offset_bytes, .. } => {
                        self.compared |= self.is_held(id, *offset_bytes);
                    }
                    _ => {}
                }
                let bits = self.program.functions[id].regs[*dst].bits;
                self.hold(id, *dst, held > 0 && bits > 1);
            }
            InstrKind::Load { dst, addr, .. } => {
                let held = self.is_stored(self.object(id, *addr)) && self.is_wide(id, *dst);
                self.hold(id, *dst, held);
            }
            InstrKind::Store { addr, value, .. } => {
                self.store(self.object(id, *addr), self.is_held(id, *value));
            }
            InstrKind::Rmw {
                dst, addr, operand, ..
            } => {
                let object = self.object(id, *addr);
                let (old, new) = (
                    self.is_stored(object) && self.is_wide(id, *dst),
                    self.is_held(id, *operand),
                );
                self.compared |= old && new;
                self.hold(id, *dst, old);
                self.store(object, new);
            }
            InstrKind::CmpXchg {
                dst,
                addr,
                expected,
                desired,
                ..
            } => {
                let object = self.object(id, *addr);
                let old = self.is_stored(object) && self.is_wide(id, *dst);
                self.compared |= old && self.is_held(id, *expected);
                self.hold(id, *dst, old);
                self.store(object, self.is_held(id, *desired));
            }
            InstrKind::Call { dst, callee, args } => {
                let held: Vec<bool> = args.iter().map(|arg| self.is_held(id, *arg)).collect();
                let targets: Vec<FuncId> = match callee {
                    Callee::Direct(to) => vec![*to],
                    Callee::Indirect(_) => self.program.functions.ids().collect(),
                    Callee::Extern(call) => {
                        self.external(id, *dst, call, args);
                        return;
                    }
                };
                for to in targets {
                    let params = self.program.functions[to].params.clone();
                    for (param, held) in params.into_iter().zip(&held) {
                        self.hold(to, param, *held);
                    }
                    if let Some(dst) = dst {
                        self.hold(id, *dst, self.returns[to.index()]);
                    }
                }
            }
            _ => {}
        }
    }

    /// Width of a loaded value: true if it may show which handle or literal it is of. A handle is looked at in parts,
    /// too.
    fn is_wide(&self, id: FuncId, dst: Reg) -> bool {
        let bits = self.program.functions[id].regs[dst].bits;
        bits >= self.program.model.pointer_bits() || self.source == Source::Handles
    }

    fn external(&mut self, id: FuncId, dst: Option<Reg>, call: &ExternCall, args: &[Operand]) {
        let held =
            |flow: &Self, index: usize| args.get(index).is_some_and(|a| flow.is_held(id, *a));
        let object = |flow: &Self, index: usize| {
            args.get(index)
                .map_or(NamedObject::Other, |arg| flow.object(id, *arg))
        };
        match plain_name(&call.name) {
            "pthread_equal" | "thrd_equal" => self.compared |= self.source == Source::Handles,
            "pthread_self" | "thrd_current" => {
                if let Some(dst) = dst {
                    self.hold(id, dst, self.source == Source::Handles);
                }
            }
            name @ ("pthread_create" | "thrd_create") => {
                self.store(object(self, 0), self.source == Source::Handles);
                self.pass(held(self, if name == "thrd_create" { 2 } else { 3 }));
            }
            "pthread_exit" => self.pass(held(self, 0)),
            "pthread_setspecific" | "tss_set" => self.pass(held(self, 1)),
            "pthread_getspecific" | "tss_get" => {
                if let Some(dst) = dst {
                    self.hold(id, dst, self.passed);
                }
            }
            "pthread_join"
            | "thrd_join"
            | "pthread_tryjoin_np"
            | "pthread_timedjoin_np"
            | "pthread_clockjoin_np" => self.store(object(self, 1), self.passed),
            name if is_of_threads(name) => {}
            "memcmp" => {
                self.compared |= self.is_stored(object(self, 0)) && self.is_stored(object(self, 1));
            }
            // A pointer into what an argument points to, or that argument; what is copied.
            name if self.source == Source::Literals => {
                if let Some(dst) = dst {
                    let any = (0..args.len()).any(|i| held(self, i));
                    self.hold(id, dst, any && self.is_wide(id, dst));
                }
                if ["memcpy", "memmove", "memccpy", "mempcpy"]
                    .iter()
                    .any(|copy| name.contains(copy))
                {
                    let copied = self.is_stored(object(self, 1));
                    self.store(object(self, 0), copied);
                }
            }
            // Whatever it does with what it gets.
            _ => {
                let pointers =
                    || (0..args.len()).filter(|i| call.pointer_args.get(*i) != Some(&false));
                let any = (0..args.len()).any(|i| held(self, i))
                    || pointers().any(|i| {
                        matches!(args[i], Operand::Reg(_) | Operand::GlobalAddr(..))
                            && self.is_stored(object(self, i))
                    });
                if any && call.ret_bits.is_none_or(|bits| bits >= 8) {
                    for index in pointers().collect::<Vec<_>>() {
                        self.store(object(self, index), any);
                    }
                    if let Some(dst) = dst {
                        self.hold(id, dst, self.is_wide(id, dst));
                    }
                }
            }
        }
    }
}

/// Functions of threads and their objects which give no handle back.
fn is_of_threads(name: &str) -> bool {
    let families = [
        "pthread_",
        "thrd_",
        "mtx_",
        "cnd_",
        "sem_",
        "tss_",
        "call_once",
    ];
    families.iter().any(|family| name.starts_with(family))
}
