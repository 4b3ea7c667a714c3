//! Points-to sets of all registers and of all that memory holds: without regard to the order of instructions, and to who
//! calls whom. Any word may be a pointer: what is computed from some may point to any place of the same objects.
//!
//! Functions take part as soon as something is found to call them, or to start a thread in them.

use super::faults::{self, Fault};
use super::graph::{Graph, Node, Use};
use super::object::{Object, ObjectId, Objects, Place, PlaceId, signed};
use super::site::Site;
use crate::base::IdVec;
use crate::base::sorted::{SortedMap, SortedSet};
use crate::ir::{
    Block, BlockSource, Callee, FuncId, InstrKind, NondetSource, Operand, Origin, Program, Reg,
    Rvalue, Terminator,
};

/// What points where, and who calls or starts whom.
pub(super) struct Flow<'p> {
    program: &'p Program,
    pub objects: Objects,
    graph: Graph,
    /// Sets of the registers of those functions that take part.
    registers: IdVec<FuncId, Option<IdVec<Reg, Node>>>,
    /// Sets of what functions return.
    results: IdVec<FuncId, Node>,
    /// What threads end with.
    ended: Node,
    /// Arguments of the routines that threads start in.
    given: Node,
    named: SortedMap<PlaceId, Node>,
    /// Instructions that call or start what a pointer points to.
    indirect: Vec<Site>,
    /// Functions that instructions call, sorted.
    pub calls: SortedMap<Site, SortedSet<FuncId>>,
    /// Functions that threads start in, by the instruction that creates them.
    pub spawns: SortedMap<Site, SortedSet<FuncId>>,
    /// Why nothing is known of the program.
    pub refused: Option<String>,
    /// Why nothing is known if threads register a place to jump back to at their end.
    on_registration: Option<String>,
    work: Vec<FuncId>,
}

impl<'p> Flow<'p> {
    pub(super) fn of(program: &'p Program) -> Flow<'p> {
        let mut graph = Graph::new(u32::from(program.model.pointer_bits() / 8));
        let mut flow = Flow {
            program,
            objects: Objects::new(program),
            registers: program.functions.ids().map(|_| None).collect(),
            results: program.functions.ids().map(|_| graph.node()).collect(),
            ended: graph.node(),
            given: graph.node(),
            graph,
            named: SortedMap::new(),
            indirect: Vec::new(),
            calls: SortedMap::new(),
            spawns: SortedMap::new(),
            refused: None,
            on_registration: None,
            work: Vec::new(),
        };
        flow.initial();
        flow.enter(program.main);
        flow.solve();
        let registers = |id: &FuncId| program.functions[*id].name == "__pthread_register_cancel";
        if let Some(why) = flow.on_registration.take()
            && flow.reached().iter().any(registers)
        {
            flow.refuse(&why);
        }
        flow
    }

    /// Functions that take part, in order.
    pub(super) fn reached(&self) -> Vec<FuncId> {
        let all = self.registers.iter_ids();
        all.filter(|(_, known)| known.is_some())
            .map(|(id, _)| id)
            .collect()
    }

    /// Places that an operand of a function may be the address of, in order.
    pub(super) fn places(&self, function: FuncId, operand: Operand) -> Vec<Place> {
        let places = match (operand, &self.registers[function]) {
            (Operand::Reg(reg), Some(registers)) => self.graph.places(registers[reg]),
            _ => return self.objects.known(operand).into_iter().collect(),
        };
        let mut places: Vec<Place> = places
            .into_iter()
            .map(|place| self.objects.places[place])
            .collect();
        places.sort_unstable();
        places
    }

    /// Objects that several threads may have pointers to: globals, what one is given by another, and what these point to.
    pub(super) fn shared(&self) -> IdVec<ObjectId, bool> {
        let mut shared: IdVec<ObjectId, bool> = self.objects.kinds.ids().map(|_| false).collect();
        let mut work = Vec::new();
        let see = |object: ObjectId, shared: &mut IdVec<ObjectId, bool>, work: &mut Vec<_>| {
            if !std::mem::replace(&mut shared[object], true) {
                work.push(object);
            }
        };
        for (id, kind) in self.objects.kinds.iter_ids() {
            let is_shared = match *kind {
                Object::Global(global) => !self.program.globals[global].thread_local,
                Object::Unknown => true,
                Object::Function(_) | Object::Rest | Object::Allocated { .. } => false,
            };
            if is_shared {
                see(id, &mut shared, &mut work);
            }
        }
        for node in [self.ended, self.given] {
            if faults::on(Fault::ArgumentUnshared) && node == self.given {
                continue;
            }
            for place in self.graph.places(node) {
                see(self.objects.places[place].object, &mut shared, &mut work);
            }
        }
        while let Some(object) = work.pop() {
            for place in self.graph.held(object) {
                see(self.objects.places[place].object, &mut shared, &mut work);
            }
        }
        shared
    }

    fn initial(&mut self) {
        for (id, global) in self.program.globals.iter_ids() {
            for part in &global.init {
                let Some(value) = self.source(None, part.value) else {
                    continue;
                };
                let object = self.objects.global(id);
                let at = i64::try_from(part.offset_bytes).ok();
                let place = self.objects.place(object, at);
                let address = self.constant(place);
                let bytes = u32::from(part.bits.div_ceil(8));
                self.connect(address, Use::Store(value, Some(bytes)));
            }
        }
    }

    fn enter(&mut self, function: FuncId) {
        if self.registers[function].is_none() {
            let regs = &self.program.functions[function].regs;
            let nodes = regs.iter().map(|_| self.graph.node()).collect();
            self.registers[function] = Some(nodes);
            self.work.push(function);
        }
    }

    fn solve(&mut self) {
        loop {
            if let Some(function) = self.work.pop() {
                self.function(function);
                continue;
            }
            self.graph.solve(&mut self.objects);
            let told = std::mem::take(&mut self.graph.told);
            if self.graph.is_cut() {
                self.refuse("more pointers than can be followed");
                return;
            }
            if told.is_empty() && self.work.is_empty() {
                return;
            }
            for (who, place) in told {
                self.found(self.indirect[who], place);
            }
        }
    }

    /// A pointer that is called, or that a thread starts at, may be this one.
    fn found(&mut self, at: Site, place: PlaceId) {
        let Some(target) = self.objects.function(place) else {
            if self.objects.places[place].object == self.objects.unknown() {
                self.refuse("a call of a function that may be any");
            }
            return;
        };
        let program = self.program;
        match &program.functions[at.function].blocks[at.block].instrs[at.index].kind {
            InstrKind::Call { dst, args, .. } => self.call(at, *dst, args, target),
            InstrKind::Spawn { arg, .. } => self.spawn(at, *arg, target),
            _ => {}
        }
    }

    pub(super) fn refuse(&mut self, why: &str) {
        self.refused.get_or_insert_with(|| why.to_string());
    }

    fn connect(&mut self, from: Node, to: Use) {
        self.graph.connect(from, to, &mut self.objects);
    }

    /// The set of one place.
    fn constant(&mut self, place: PlaceId) -> Node {
        if let Some(&known) = self.named.get(&place) {
            return known;
        }
        let node = self.graph.node();
        self.graph.add(node, place);
        self.named.insert(place, node);
        node
    }

    /// The set of an operand, `None` if that is empty.
    fn source(&mut self, function: Option<FuncId>, operand: Operand) -> Option<Node> {
        if let Operand::Reg(reg) = operand {
            return Some(self.registers[function?].as_ref()?[reg]);
        }
        let place = self.objects.named(operand)?;
        Some(self.constant(place))
    }

    fn flow(&mut self, function: FuncId, from: Operand, to: impl Fn(Node) -> Use, dst: Node) {
        if let Some(from) = self.source(Some(function), from) {
            self.connect(from, to(dst));
        }
    }

    fn function(&mut self, id: FuncId) {
        let program = self.program;
        for (block, code) in program.functions[id].blocks.iter_ids() {
            for (index, instr) in code.instrs.iter().enumerate() {
                let at = Site {
                    function: id,
                    block,
                    index,
                };
                self.instr(at, &instr.kind);
            }
            self.end(id, code);
        }
    }

    fn end(&mut self, id: FuncId, code: &Block) {
        match code.end {
            Terminator::Return(Some(value)) => self.flow(id, value, Use::Copy, self.results[id]),
            Terminator::ThreadExit(value) => self.flow(id, value, Use::Copy, self.ended),
            _ => {}
        }
    }

    fn register(&self, function: FuncId, reg: Reg) -> Option<Node> {
        Some(self.registers[function].as_ref()?[reg])
    }

    fn instr(&mut self, at: Site, kind: &InstrKind) {
        let id = at.function;
        let program = self.program;
        let regs = &program.functions[id].regs;
        let bytes = |operand: Operand| match operand {
            Operand::Reg(reg) => u32::from(regs[reg].bits.div_ceil(8)),
            Operand::Const { bits, .. } => u32::from(bits.div_ceil(8)),
            Operand::GlobalAddr(..) | Operand::FuncAddr(_) => {
                u32::from(program.model.pointer_bits() / 8)
            }
        };
        let dst = kind.dst().filter(|dst| regs[*dst].bits > 1);
        let dst = dst.and_then(|dst| self.register(id, dst).map(|node| (dst, node)));
        match kind {
            InstrKind::Assign { value, .. } => {
                if let Some((_, dst)) = dst {
                    self.assign(id, value, dst);
                }
            }
            InstrKind::Load { addr, .. } => {
                if let Some((reg, dst)) = dst {
                    let bytes = bytes(Operand::Reg(reg));
                    self.flow(id, *addr, |dst| Use::Load(dst, Some(bytes)), dst);
                }
            }
            InstrKind::Store { addr, value, .. } => self.store(id, *addr, *value, bytes(*value)),
            InstrKind::Rmw {
                dst: reg,
                addr,
                operand,
                ..
            } => {
                let bytes = bytes(Operand::Reg(*reg));
                // What it computes from both may point to any place of their objects.
                let moved = self.graph.node();
                self.flow(id, *operand, |dst| Use::Move(dst, None), moved);
                self.flow(id, *operand, Use::Copy, moved);
                let old = self.graph.node();
                self.flow(id, *addr, |dst| Use::Load(dst, Some(bytes)), old);
                self.connect(old, Use::Move(moved, None));
                self.flow(id, *addr, |from| Use::Store(from, Some(bytes)), moved);
                if let Some((_, dst)) = dst {
                    self.connect(old, Use::Copy(dst));
                }
            }
            InstrKind::CmpXchg { addr, desired, .. } => {
                if let Some((reg, dst)) = dst {
                    let bytes = bytes(Operand::Reg(reg));
                    self.flow(id, *addr, |dst| Use::Load(dst, Some(bytes)), dst);
                }
                self.store(id, *addr, *desired, bytes(*desired));
            }
            InstrKind::Call {
                dst: result,
                callee,
                args,
            } => match callee {
                Callee::Direct(target) => self.call(at, *result, args, *target),
                Callee::Indirect(target) => self.look(at, *target),
                Callee::Extern(call) => {
                    let why = format!("a call of `{}`, which has no body", call.name);
                    self.refuse(&why);
                }
            },
            InstrKind::Spawn { start, arg, .. } => {
                self.flow(id, *arg, Use::Copy, self.given);
                self.spawns.entry(at).or_default();
                match start {
                    Operand::FuncAddr(target) => self.spawn(at, *arg, *target),
                    start => self.look(at, *start),
                }
            }
            InstrKind::Join { .. } => {
                if let Some((_, dst)) = dst {
                    self.connect(self.ended, Use::Copy(dst));
                }
            }
            InstrKind::Nondet { source, .. } => {
                let is_address = |(reg, _): &(Reg, Node)| {
                    *source != NondetSource::Uninitialised
                        && regs[*reg].bits >= program.model.pointer_bits()
                };
                if let Some((_, dst)) = dst.filter(is_address) {
                    let unknown = self.objects.unknown();
                    let place = self.objects.place(unknown, None);
                    self.graph.add(dst, place);
                }
            }
            InstrKind::Alloc { .. } => {
                if let Some((_, dst)) = dst {
                    let object = self.objects.allocated(at, kind);
                    let place = self.objects.place(object, Some(0));
                    self.graph.add(dst, place);
                }
            }
            InstrKind::Block {
                to,
                source: BlockSource::Copy { from, .. },
                ..
            } => {
                let all = self.graph.node();
                self.flow(id, *from, |dst| Use::Load(dst, None), all);
                self.flow(id, *to, |from| Use::Store(from, None), all);
            }
            InstrKind::Unsupported { reason } => self.unsupported(id, reason),
            _ => {}
        }
    }

    /// Something is not modelled. Limits on numbers in operations of synchronisation objects do not matter here.
    fn unsupported(&mut self, id: FuncId, reason: &str) {
        let function = &self.program.functions[id];
        match (function.origin, function.name.as_str()) {
            (Origin::Model { synchronises: true }, "__selvedge_exit") => {
                self.on_registration = Some(reason.to_string());
            }
            (Origin::Model { synchronises: true }, name) if name != "pthread_setcanceltype" => {}
            _ => self.refuse(reason),
        }
    }

    fn store(&mut self, id: FuncId, addr: Operand, value: Operand, bytes: u32) {
        if let Some(value) = self.source(Some(id), value) {
            self.flow(id, addr, |from| Use::Store(from, Some(bytes)), value);
        }
    }

    fn assign(&mut self, id: FuncId, value: &Rvalue, dst: Node) {
        let any = |dst| Use::Move(dst, None);
        match value {
            Rvalue::Use(a)
            | Rvalue::FromInteger(a)
            | Rvalue::ZeroExtend(a)
            | Rvalue::SignExtend(a)
            | Rvalue::Truncate(a) => self.flow(id, *a, Use::Copy, dst),
            Rvalue::Select { then, other, .. } => {
                self.flow(id, *then, Use::Copy, dst);
                self.flow(id, *other, Use::Copy, dst);
            }
            Rvalue::Offset { base, offset_bytes } => {
                let by = signed(*offset_bytes);
                self.flow(id, *base, |dst| Use::Move(dst, by), dst);
                // From the null pointer it is arithmetic.
                self.flow(id, *offset_bytes, Use::Arithmetic, dst);
            }
            Rvalue::Unary(..) | Rvalue::Binary(..) | Rvalue::Float { .. } => {
                let forgotten = faults::on(Fault::ArithmeticForgotten);
                for operand in value.operands().into_iter().filter(|_| !forgotten) {
                    self.flow(id, operand, any, dst);
                }
            }
        }
    }

    /// Asks for what a pointer points to that is called.
    fn look(&mut self, at: Site, target: Operand) {
        self.indirect.push(at);
        self.calls.entry(at).or_default();
        let who = self.indirect.len() - 1;
        match self.source(Some(at.function), target) {
            Some(from) => self.connect(from, Use::Tell(who)),
            None => self.refuse("a call of a function that is a number"),
        }
    }

    fn call(&mut self, at: Site, dst: Option<Reg>, args: &[Operand], target: FuncId) {
        if !self.calls.entry(at).or_default().insert(target) {
            return;
        }
        self.enter(target);
        let program = self.program;
        for (param, arg) in program.functions[target].params.iter().zip(args) {
            if let Some(param) = self.register(target, *param) {
                self.flow(at.function, *arg, Use::Copy, param);
            }
        }
        if let Some(dst) = dst.and_then(|dst| self.register(at.function, dst)) {
            self.connect(self.results[target], Use::Copy(dst));
        }
    }

    fn spawn(&mut self, at: Site, arg: Operand, target: FuncId) {
        if !self.spawns.entry(at).or_default().insert(target) {
            return;
        }
        self.enter(target);
        if let Some(&param) = self.program.functions[target].params.first()
            && let Some(param) = self.register(target, param)
        {
            self.flow(at.function, arg, Use::Copy, param);
        }
        self.connect(self.results[target], Use::Copy(self.ended));
    }
}
