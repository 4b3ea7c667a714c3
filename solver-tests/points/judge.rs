//! Judge of executed instructions: what an unrolled program says of each of them.

use super::{Compared, fault};
use crate::oracle::Fault;
use selvedge::event::{EventId, EventKind, EventProgram, Origin, ThreadId};
use selvedge::ir::address::Slot;
use selvedge::ir::position::PosKey;
use selvedge::symex::points::Points;
use selvedge::trace::enumerate::observe::Executed;
use selvedge::trace::interpret::Effect;
use selvedge::trace::interpret::Interpreter;
use selvedge::trace::interpret::state::{State, Status};
use selvedge::trace::interpret::word::Word;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

/// What happened to a byte where several threads existed: by whom, whether it was a write, whether there is an event.
type Touch = (ThreadId, bool, bool);

/// An access in terms of the unrolled program.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct Access {
    thread: ThreadId,
    position: PosKey,
    /// Object, as an index.
    object: usize,
    offset: u64,
    bytes: u64,
    write: bool,
    /// What was read or written; marks of a word say that it is an address.
    value: (u128, u8),
    /// Others have been created; all have ended.
    concurrent: bool,
    alone: bool,
    /// No other thread can have the object's address.
    own: bool,
}

/// One unrolled program, and what was seen of executions.
pub struct Judge<'e> {
    events: &'e EventProgram,
    points: &'e Points,
    /// Reads and writes of each instruction.
    at: HashMap<(ThreadId, PosKey), Vec<EventId>>,
    children: HashMap<(ThreadId, PosKey), Vec<ThreadId>>,
    objects: HashMap<Origin, usize>,
    unseen: HashSet<(ThreadId, PosKey)>,
    known: HashSet<Access>,
    touches: BTreeMap<(usize, u64), BTreeSet<Touch>>,
    compared: Compared,
    /// A thread has another number than in the execution, and programs may compute with that.
    renumbered: bool,
    fault: Option<Fault>,
}

impl<'e> Judge<'e> {
    pub fn new(events: &'e EventProgram, points: &'e Points) -> Judge<'e> {
        let mut at: HashMap<(ThreadId, PosKey), Vec<EventId>> = HashMap::new();
        for (id, event) in events.events.iter_ids() {
            if matches!(event.kind, EventKind::Read { .. } | EventKind::Write { .. }) {
                let here = (event.thread, event.position);
                at.entry(here).or_default().push(id);
            }
        }
        let mut children: HashMap<(ThreadId, PosKey), Vec<ThreadId>> = HashMap::new();
        for (id, thread) in events.threads.iter_ids() {
            if let Some(creation) = thread.created_by {
                let creation = &events.events[creation];
                let here = (creation.thread, creation.position);
                children.entry(here).or_default().push(id);
            }
        }
        let objects = events.objects.iter().enumerate();
        Judge {
            events,
            points,
            at,
            children,
            objects: objects.map(|(i, object)| (object.origin, i)).collect(),
            unseen: events.unseen.iter().copied().collect(),
            known: HashSet::new(),
            touches: BTreeMap::new(),
            compared: Compared::default(),
            renumbered: false,
            fault: None,
        }
    }

    /// Judges an instruction.
    pub fn see(&mut self, executed: &Executed<'_, '_>) {
        if self.fault.is_some() || self.renumbered {
            return;
        }
        let seen = match *executed.effect {
            // Steps within operations on blocks are no scalars.
            _ if executed.part > 0 => Ok(()),
            Effect::Read {
                address,
                bits,
                value,
            } => self.access(executed, (address, bits), false, value),
            Effect::Write {
                address,
                bits,
                value,
            } => self.access(executed, (address, bits), true, value),
            Effect::Update {
                address,
                bits,
                old,
                new,
            } => {
                let read = self.access(executed, (address, bits), false, old);
                match old == new {
                    true => read,
                    false => read.and_then(|()| self.access(executed, (address, bits), true, new)),
                }
            }
            Effect::Lock { address }
            | Effect::TryLock { address, .. }
            | Effect::Unlock { address } => self.synchronised(executed, address),
            Effect::Join { .. } => self.joined(executed),
            _ => Ok(()),
        };
        self.fault = seen.err().filter(|_| !self.renumbered);
    }

    /// What was compared, if nothing is wrong.
    pub fn end(mut self) -> Result<Compared, Fault> {
        if let Some(fault) = self.fault {
            return Err(fault);
        }
        if self.renumbered {
            return Ok(self.compared);
        }
        let mut lent: BTreeSet<usize> = BTreeSet::new();
        for ((object, byte), touches) in &self.touches {
            let threads: BTreeSet<ThreadId> = touches.iter().map(|touch| touch.0).collect();
            let is_written = touches.iter().any(|touch| touch.1);
            if threads.len() > 1 {
                lent.insert(*object);
            }
            if threads.len() < 2 || !is_written {
                continue;
            }
            if let Some(private) = touches.iter().find(|touch| !touch.2) {
                let name = &self.events.objects[*object].name;
                return Err(fault(
                    "private",
                    format!("byte {byte} of {name}: {touches:?}, but {private:?} makes no event"),
                ));
            }
        }
        let is_block =
            |object: &&usize| matches!(self.events.objects[**object].origin, Origin::Alloc(..));
        self.compared.lent = lent.iter().filter(is_block).count();
        Ok(self.compared)
    }

    /// Thread instances that a thread of an execution may be.
    fn threads(&self, interpreter: &Interpreter, thread: ThreadId) -> Vec<ThreadId> {
        let Some((creator, position)) = interpreter.creation(thread) else {
            return vec![ThreadId(0)];
        };
        let creators = self.threads(interpreter, creator).into_iter();
        let known = creators.filter_map(|creator| self.children.get(&(creator, position)));
        known.flatten().copied().collect()
    }

    /// The thread instance that executes an instruction.
    fn thread(&mut self, executed: &Executed<'_, '_>) -> Result<ThreadId, Fault> {
        let function = executed.state.thread(executed.thread).frames[0].function;
        let all = self.threads(executed.interpreter, executed.thread);
        let mut all = all.into_iter();
        let found = all.find(|id| self.events.threads[*id].function == function);
        self.renumbered |= found.is_some_and(|id| id != executed.thread);
        found.ok_or_else(|| fault("unknown thread", format!("{:?}", executed.thread)))
    }

    /// The object in a slot of an execution.
    fn object(&self, interpreter: &Interpreter, slot: Slot) -> Option<usize> {
        let origin = interpreter.origin(slot)?;
        let instances = |thread| self.threads(interpreter, thread).into_iter();
        let all: Vec<Origin> = match origin {
            Origin::Alloc(thread, at) => instances(thread).map(|t| Origin::Alloc(t, at)).collect(),
            Origin::ThreadLocal(global, thread) => instances(thread)
                .map(|t| Origin::ThreadLocal(global, t))
                .collect(),
            _ => vec![origin],
        };
        all.iter()
            .find_map(|origin| self.objects.get(origin).copied())
    }

    /// Object, as an index, and offset of an internal address of an execution.
    fn place(&self, interpreter: &Interpreter, address: u64) -> Result<(usize, u64), Fault> {
        let space = interpreter.space;
        let place = || {
            let object = self.object(interpreter, space.slot(address)?)?;
            Some((object, space.offset(address)?))
        };
        place().ok_or_else(|| {
            let origin = space
                .slot(address)
                .and_then(|slot| interpreter.origin(slot));
            fault("unknown object", format!("{address:#x} of {origin:?}"))
        })
    }

    /// Others have been created; all have ended.
    fn phase(executed: &Executed<'_, '_>) -> (bool, bool) {
        let state: &State = executed.state;
        let mut others = state.thread_ids().filter(|id| *id != executed.thread);
        let concurrent = others.next().is_some();
        let mut others = state.thread_ids().filter(|id| *id != executed.thread);
        let ended = others.all(|id| matches!(state.thread(id).status, Status::Ended(_)));
        (concurrent, ended && executed.thread == ThreadId(0))
    }

    fn access(
        &mut self,
        executed: &Executed<'_, '_>,
        (address, bits): (u64, u16),
        write: bool,
        value: Word,
    ) -> Result<(), Fault> {
        let thread = self.thread(executed)?;
        let (object, offset) = self.place(executed.interpreter, address)?;
        let (concurrent, alone) = Judge::phase(executed);
        let slot = executed.interpreter.space.slot(address);
        let live = slot.and_then(|slot| executed.state.memory.get(slot));
        let own = live.is_some_and(|object| !object.escaped);
        let access = Access {
            thread,
            position: executed.position,
            object,
            offset,
            bytes: u64::from(bits.div_ceil(8)),
            write,
            value: (value.value, value.marks),
            concurrent,
            alone,
            own,
        };
        if !self.known.insert(access) {
            return Ok(());
        }
        self.compared.accesses += 1;
        self.is_reached(access, false)?;
        let has_event = self.bytes_with_events(&access);
        let is_unseen = self.unseen.contains(&(thread, access.position));
        let is_left_out = is_unseen && !alone && !own && has_event.contains(&false);
        if concurrent && is_left_out && self.is_shared(&access) {
            return Err(self.wrong("not alone", &access));
        }
        if has_event.iter().any(|has| !has) {
            self.compared.private += 1;
        }
        for (at, has_event) in (offset..).zip(has_event) {
            if concurrent {
                let touch = match alone {
                    // It reads what others have left.
                    true => (thread, false, true),
                    // What is there is published later.
                    false if own => (thread, false, true),
                    false => (thread, write, has_event),
                };
                self.touches.entry((object, at)).or_default().insert(touch);
            }
        }
        let here = (thread, access.position);
        for id in self.at.get(&here).cloned().unwrap_or_default() {
            self.value_at(executed.interpreter, &access, id, value, bits)?;
        }
        Ok(())
    }

    /// A place that was found for the access.
    fn is_reached(&self, access: Access, sync: bool) -> Result<(), Fault> {
        let slot = self.events.objects[access.object].slot;
        let places = self.points.reached.get(&(access.thread, access.position));
        let mut places = places.into_iter().flatten();
        let here = places.any(|place| {
            let is_same = sync || u64::from(place.bytes) == access.bytes;
            let at = place.element || place.offset == access.offset;
            place.slot == slot && place.sync == sync && is_same && at
        });
        match here {
            true => Ok(()),
            false => Err(self.wrong("unreached", &access)),
        }
    }

    /// True if events touch some of the bytes of an access; what only one thread touches has none.
    fn is_shared(&self, access: &Access) -> bool {
        self.points.data.iter().any(|id| {
            let cell = &self.events.cells[*id];
            let end = cell.offset_bytes + u64::from(cell.bits / 8);
            let overlaps = cell.offset_bytes < access.offset + access.bytes && access.offset < end;
            cell.object == access.object && (cell.element.is_some() || overlaps)
        })
    }

    /// By byte of an access: an event of its kind has it among its targets.
    fn bytes_with_events(&self, access: &Access) -> Vec<bool> {
        let here = (access.thread, access.position);
        let mut found = vec![false; access.bytes as usize];
        for id in self.at.get(&here).into_iter().flatten() {
            for (from, to) in self.cells_of(access, *id) {
                for (at, has_event) in (access.offset..).zip(&mut found) {
                    *has_event |= from <= at && at < to;
                }
            }
        }
        found
    }

    /// Bytes of an object that an event of the access's kind may touch.
    fn cells_of(&self, access: &Access, id: EventId) -> Vec<(u64, u64)> {
        let targets = match &self.events.events[id].kind {
            EventKind::Read { targets, .. } if !access.write => targets,
            EventKind::Write { targets, .. } if access.write => targets,
            _ => return Vec::new(),
        };
        let cells = targets.iter().map(|target| target.cell);
        let ranges = cells.filter_map(|id| {
            let cell = &self.events.cells[id];
            let bytes = u64::from(cell.bits / 8);
            let range = (cell.offset_bytes, cell.offset_bytes + bytes);
            if cell.object != access.object {
                None
            } else if cell.element.is_some() {
                Some((0, u64::MAX))
            } else {
                self.points.data.contains(&id).then_some(range)
            }
        });
        ranges.collect()
    }

    /// What an event reads or writes is in the list of the place, and leads to what that place points to.
    fn value_at(
        &mut self,
        interpreter: &Interpreter,
        access: &Access,
        id: EventId,
        value: Word,
        bits: u16,
    ) -> Result<(), Fault> {
        let slot = self.events.objects[access.object].slot;
        for (from, to) in self.cells_of(access, id) {
            if from < access.offset || to > access.offset + access.bytes {
                continue;
            }
            let start = (from - access.offset) * 8;
            let width = ((to - from) * 8) as u16;
            let is_whole = width == bits;
            let place = (slot, from);
            let (number, target) = match value.marks {
                0 => (value.value >> start & ones(width), None),
                1 if is_whole && bits == self.events.space.pointer_bits => {
                    let space = interpreter.space;
                    let address = value.value as u64;
                    let concrete = space.slot(address).unwrap_or(Slot::NULL);
                    let object = self.object(interpreter, concrete);
                    let object =
                        object.ok_or_else(|| self.wrong("address of an unknown object", access))?;
                    let target = self.events.objects[object].slot;
                    let distance = address.wrapping_sub(space.base(concrete));
                    let known = self.events.space.base(target).wrapping_add(distance);
                    (u128::from(known) & ones(bits), Some(target))
                }
                _ => continue,
            };
            if let Some(list) = self.points.lists.get(&place) {
                let has = |listed: &u128| *listed & ones(width) == number;
                let is_listed = list.values.iter().any(has) || list.left && target.is_none();
                if !is_listed {
                    let details = format!("{number:#x} is not in {list:x?}; {access:?}");
                    return Err(fault("unlisted", details));
                }
                self.compared.listed += 1;
            }
            if let Some(target) = target {
                let pointers = self.points.pointers.get(&place);
                if !pointers.is_some_and(|all| all.contains(&target)) {
                    let details = format!("{target:?} is not in {pointers:?}; {access:?}");
                    return Err(fault("not pointed to", details));
                }
                self.compared.pointers += 1;
            }
        }
        Ok(())
    }

    /// An operation on a mutex.
    fn synchronised(&mut self, executed: &Executed<'_, '_>, address: u64) -> Result<(), Fault> {
        let (object, offset) = self.place(executed.interpreter, address)?;
        let access = Access {
            thread: self.thread(executed)?,
            position: executed.position,
            object,
            offset,
            bytes: 1,
            write: true,
            value: (0, 0),
            concurrent: true,
            alone: false,
            own: false,
        };
        self.is_reached(access, true)
    }

    /// What main reads in the step of its last join is what memory holds there.
    fn joined(&mut self, executed: &Executed<'_, '_>) -> Result<(), Fault> {
        let (thread, state) = (self.thread(executed)?, executed.state);
        let events = self.at.get(&(thread, executed.position)).cloned();
        let events = events.unwrap_or_default();
        if events.is_empty() {
            return Ok(());
        }
        let interpreter = executed.interpreter;
        for (slot, live) in state.memory.iter() {
            let Some(object) = self.object(interpreter, slot) else {
                continue;
            };
            for &id in &events {
                let size = live.bytes.len() as u64;
                let whole = Access {
                    thread,
                    position: executed.position,
                    object,
                    offset: 0,
                    bytes: size,
                    write: false,
                    value: (0, 0),
                    concurrent: true,
                    alone: true,
                    own: false,
                };
                for (from, to) in self.cells_of(&whole, id) {
                    if to > size || to - from > 8 {
                        continue;
                    }
                    let known = &live.bytes[from as usize..to as usize];
                    if known.contains(&None) {
                        continue;
                    }
                    let all =
                        state
                            .memory
                            .bytes(interpreter.space, slot, from as usize, to as usize);
                    let lowest = all.values.iter().rev();
                    let value = lowest.fold(0, |word, byte| word << 8 | u128::from(*byte));
                    let word = match all.words.is_empty() {
                        true => Word::number(value),
                        false => Word::address(value),
                    };
                    let access = Access {
                        offset: from,
                        bytes: to - from,
                        value: (word.value, word.marks),
                        ..whole
                    };
                    if self.known.insert(access) {
                        let bits = ((to - from) * 8) as u16;
                        self.value_at(interpreter, &access, id, word, bits)?;
                    }
                }
            }
        }
        Ok(())
    }

    fn wrong(&self, kind: &str, access: &Access) -> Fault {
        let object = &self.events.objects[access.object];
        let here = (access.thread, access.position);
        let places = self.points.reached.get(&here);
        fault(
            kind,
            format!(
                "{access:?} of {} in {:?}; known are {places:?}",
                object.name, object.slot
            ),
        )
    }
}

/// A word of so many ones.
fn ones(bits: u16) -> u128 {
    match bits {
        128.. => u128::MAX,
        _ => (1 << bits) - 1,
    }
}
