//! Names of words, and of the places where threads stand: what people read in a certificate and in a report.
//!
//! No two words have one name, and no two places of a thread. Where the obvious names are equal, what tells them apart is
//! added as far as needed: the line and column of a definition, those of the calls that lead there, at last a number.

use crate::base::Loc;
use crate::base::id::Id;
use crate::base::sorted::{SortedMap, SortedSet};
use crate::event::{Origin, ThreadId};
use crate::ir::address::Slot;
use crate::ir::layout::path_at;
use crate::ir::{AllocKind, BlockId, FuncId, InstrKind, Note, Program, Reg};
use crate::source::Position;
use crate::source::place::short_file;
use crate::transition::relation::{Name, Relation, Word};
use crate::transition::{Automata, Key, Point, SlotOwner, Stack};

/// Places that are listed where a condition leaves several of them, or excludes them.
const LISTED: usize = 8;

/// The names of a program's words and places.
pub struct Names {
    /// By number of the word; the last one is that of the flag of a query.
    pub words: Vec<String>,
    /// By thread and number of the place; the last one is where a bad step leads to.
    pub places: Vec<Vec<String>>,
    /// By thread: its start routine and its number.
    pub threads: Vec<String>,
}

/// A name, and what may be added to it.
struct Candidate {
    name: String,
    /// Additions, the first one first.
    more: Vec<String>,
}

impl Candidate {
    fn of(name: String) -> Candidate {
        Candidate {
            name,
            more: Vec::new(),
        }
    }
}

impl Names {
    pub fn of(program: &Program, automata: &Automata, relation: &Relation) -> Names {
        let threads = automata.threads.iter_ids().map(|(id, automaton)| {
            let routine = &program.functions[automaton.function].name;
            format!("{routine}#{}", id.index())
        });
        let threads: Vec<String> = threads.collect();
        let lines = Lines::of(program, automata);
        let places = automata.threads.iter().map(|automaton| {
            let here = automaton
                .locations
                .iter()
                .map(|location| match &location.place {
                    Point::Ended => Candidate::of("ended".to_string()),
                    Point::Stopped => Candidate::of("stopped".to_string()),
                    Point::Code(stack, _) => lines.place(stack, location.loc),
                });
            let failed = Candidate::of("failed".to_string());
            distinct(here.chain([failed]).collect())
        });
        let places = places.collect();
        let namer = Namer {
            program,
            automata,
            lines: &lines,
            threads: &threads,
        };
        let words = relation.words.iter().map(|word| namer.word(word));
        let started = Candidate::of("started".to_string());
        let words = distinct(words.chain([started]).collect());
        Names {
            words,
            places,
            threads,
        }
    }

    /// The condition that a thread stands at a place.
    pub fn at(&self, thread: ThreadId, place: usize) -> String {
        format!(
            "{} at {}",
            self.threads[thread.index()],
            self.place(thread, place)
        )
    }

    /// The condition that it does not.
    pub fn not_at(&self, thread: ThreadId, place: usize) -> String {
        format!(
            "{} not at {}",
            self.threads[thread.index()],
            self.place(thread, place)
        )
    }

    /// A place of a thread; terms may name numbers that no place has.
    fn place(&self, thread: ThreadId, place: usize) -> String {
        let known = self.places[thread.index()].get(place);
        known.map_or_else(|| format!("unused {place}"), Clone::clone)
    }

    /// The literal of a condition: some bits of a word (those of `chosen`) have the values that they have in `value`.
    pub fn literal(&self, relation: &Relation, number: usize, chosen: u128, value: u128) -> String {
        let name = &self.words[number];
        let plain = if value == 1 {
            name.clone()
        } else {
            format!("!{name}")
        };
        let Some(word) = relation.words.get(number) else {
            return plain;
        };
        let bits = relation.terms.bits(word.term);
        if let Name::Location(thread) = word.name
            && let Some(text) = self.somewhere(thread, chosen, value)
        {
            return text;
        }
        let fact = relation.terms.fact(word.term);
        let open = fact.open(bits);
        if chosen != open {
            format!("({name} & {chosen}) == {value}")
        } else if open == 1 && fact.ones == 0 {
            plain
        } else {
            format!("{name} == {}", value | fact.ones)
        }
    }

    /// The places where some bits of a place's number have certain values, or those where they have not; `None` if both
    /// are many. No thread is ever at a number that no place has.
    fn somewhere(&self, thread: ThreadId, chosen: u128, value: u128) -> Option<String> {
        let places = &self.places[thread.index()];
        let (within, beyond): (Vec<usize>, Vec<usize>) =
            (0..places.len()).partition(|place| *place as u128 & chosen == value);
        let (listed, at, among) = if within.len() <= beyond.len() {
            (within, "at", "in")
        } else {
            (beyond, "not at", "not in")
        };
        let thread_name = &self.threads[thread.index()];
        let names: Vec<&str> = listed.iter().map(|p| places[*p].as_str()).collect();
        match &names[..] {
            [only] => Some(format!("{thread_name} {at} {only}")),
            several if several.len() <= LISTED => {
                Some(format!("{thread_name} {among} {{{}}}", several.join(", ")))
            }
            _ => None,
        }
    }
}

/// Names that are all different: those that are equal get their additions one after the other, and then numbers.
fn distinct(mut all: Vec<Candidate>) -> Vec<String> {
    let most = all.iter().map(|one| one.more.len()).max().unwrap_or(0);
    for step in 0..=most {
        let mut same: SortedMap<String, Vec<usize>> = SortedMap::new();
        for (index, one) in all.iter().enumerate() {
            same.entry(one.name.clone()).or_default().push(index);
        }
        for group in same.into_values().filter(|group| group.len() > 1) {
            for (count, index) in group.into_iter().enumerate() {
                let one = &mut all[index];
                match one.more.get(step) {
                    Some(more) => one.name.push_str(more),
                    None if step == most && count > 0 => {
                        one.name.push_str(&format!(" ({})", count + 1));
                    }
                    None => {}
                }
            }
        }
    }
    all.into_iter().map(|one| one.name).collect()
}

/// Lines and columns of the user.
struct Lines<'a> {
    program: &'a Program,
    /// Threads stand in several files.
    several: bool,
}

impl Lines<'_> {
    fn of<'a>(program: &'a Program, automata: &Automata) -> Lines<'a> {
        let mut lines = Lines {
            program,
            several: false,
        };
        let mut files = SortedSet::new();
        for location in automata.threads.iter().flat_map(|a| a.locations.iter()) {
            if let Point::Code(stack, _) = &location.place {
                files.extend(lines.own(stack, location.loc).map(|place| place.file));
            }
        }
        lines.several = files.len() > 1;
        lines
    }

    fn position(&self, loc: Loc) -> Option<Position> {
        self.program.source.as_ref()?.position(loc)
    }

    fn text(&self, position: &Position) -> String {
        let (line, column) = (position.line, position.column);
        if self.several {
            format!("{}:{line}:{column}", short_file(&position.file))
        } else {
            format!("{line}:{column}")
        }
    }

    /// Line and column, or words for what has none.
    fn told(&self, loc: Loc) -> String {
        let position = self.position(loc);
        position.map_or_else(|| "unknown place".to_string(), |place| self.text(&place))
    }

    /// Places of the calls that lead to an activation, the innermost first; models of the library have none.
    fn calls(&self, stack: &[(FuncId, BlockId, usize, Vec<u32>)]) -> Vec<Position> {
        let calls = stack
            .iter()
            .rev()
            .filter_map(|(function, block, index, _)| {
                let block = &self.program.functions[*function].blocks[*block];
                let loc = block.instrs.get(*index).map_or(block.end_loc, |i| i.loc);
                self.position(loc)
            });
        calls.collect()
    }

    /// The user's line at which a thread stands: within a model of the library, that of the call.
    fn own(&self, stack: &Stack, loc: Loc) -> Option<Position> {
        let (_, callers) = stack.split_last()?;
        let own = self.position(loc);
        own.or_else(|| self.calls(callers).into_iter().next())
    }

    /// A place in code; where calls lead to one line in several ways, with those calls.
    fn place(&self, stack: &Stack, loc: Loc) -> Candidate {
        let Some(own) = self.own(stack, loc) else {
            return Candidate::of("unknown place".to_string());
        };
        let callers = stack.split_last().map_or(&[][..], |(_, callers)| callers);
        let calls = self.calls(callers).into_iter();
        let calls = calls.skip(usize::from(self.position(loc).is_none()));
        Candidate {
            name: self.text(&own),
            more: calls
                .map(|call| format!(" from {}", self.text(&call)))
                .collect(),
        }
    }
}

/// Names of words, which may be equal.
struct Namer<'a> {
    program: &'a Program,
    automata: &'a Automata,
    lines: &'a Lines<'a>,
    threads: &'a [String],
}

impl Namer<'_> {
    fn word(&self, word: &Word) -> Candidate {
        match &word.name {
            Name::Location(thread) => {
                Candidate::of(format!("place({})", self.threads[thread.index()]))
            }
            Name::Flag => Candidate::of("started".to_string()),
            Name::Variable(key) => self.variable(key),
        }
    }

    fn variable(&self, key: &Key) -> Candidate {
        let thread = |thread: &u32| &self.threads[*thread as usize];
        let of = |what: &str, object: Candidate| Candidate {
            name: format!("{what}({})", object.name),
            ..object
        };
        match key {
            Key::Cell {
                slot,
                offset,
                bytes,
            } => self.object(*slot, Some((*offset, (8 * bytes) as u16))),
            Key::Mutex { slot, offset } => {
                let mutex = self.object(*slot, Some((*offset, 0)));
                let name = mutex.name.trim_end_matches(".__lock");
                let name = name.trim_end_matches(".__data").to_string();
                of("locked", Candidate { name, ..mutex })
            }
            Key::Note {
                slot, offset, what, ..
            } => {
                let what = match what {
                    Note::Own => "own",
                    Note::Life => "life",
                    Note::Waiters => "waiters",
                    Note::Held | Note::Number => "number",
                };
                of(what, self.object(*slot, Some((*offset, 0))))
            }
            Key::Live(slot) => of("lives", self.object(*slot, None)),
            Key::Size(slot) => of("size", self.object(*slot, None)),
            Key::Content(slot) => self.object(*slot, None),
            Key::Started(id) => Candidate::of(format!("created({})", thread(id))),
            Key::Ended(id) => Candidate::of(format!("ended({})", thread(id))),
            Key::Result(id) => Candidate::of(format!("result({})", thread(id))),
            Key::Register { thread, chain, reg } => self.register(*thread, *chain, *reg),
            Key::Distance { thread, chain, reg } => {
                of("offset", self.register(*thread, *chain, *reg))
            }
            Key::Within { thread, chain, reg } => {
                of("within", self.register(*thread, *chain, *reg))
            }
        }
    }

    /// A part of an object, or all of it.
    fn object(&self, slot: Slot, part: Option<(u64, u16)>) -> Candidate {
        let mut owners = self.automata.slots.iter();
        let owner = owners.find(|(_, known)| *known == slot);
        let (offset, bits) = part.unwrap_or_default();
        let path = |ty| {
            let pointer_bytes = u64::from(self.program.model.pointer_bits()) / 8;
            path_at(&self.program.types, ty, offset, bits, pointer_bytes)
        };
        let behind = |name: String| match (part, offset) {
            (None, _) | (_, 0) => name,
            _ => format!("{name}+{offset}"),
        };
        let (thread, stack) = match owner.map(|(owner, _)| owner) {
            Some(SlotOwner::Static(Origin::Global(id))) => {
                let global = &self.program.globals[*id];
                return Candidate {
                    name: format!("{}{}", global.name, path(global.ty)),
                    more: vec![format!("@{}", self.lines.told(global.loc))],
                };
            }
            Some(SlotOwner::Static(Origin::ThreadLocal(id, thread))) => {
                let global = &self.program.globals[*id];
                let thread = &self.threads[thread.index()];
                return Candidate {
                    name: format!("{thread}::{}{}", global.name, path(global.ty)),
                    more: vec![format!("@{}", self.lines.told(global.loc))],
                };
            }
            Some(SlotOwner::Stack(thread, stack) | SlotOwner::Heap(thread, stack)) => {
                (thread, stack)
            }
            _ => return Candidate::of(behind(format!("object{}", slot.0))),
        };
        let thread = &self.threads[thread.index()];
        let mut more = self.called_from(stack);
        let Some((function, block, index, _)) = stack.last() else {
            return Candidate::of(behind(format!("{thread}::object{}", slot.0)));
        };
        let instr = self.program.functions[*function].blocks[*block]
            .instrs
            .get(*index);
        let place = instr.map_or(Loc::NONE, |instr| instr.loc);
        let name = match instr.map(|instr| &instr.kind) {
            Some(InstrKind::Alloc {
                kind: AllocKind::Stack { name, ty, .. },
                ..
            }) => {
                more.insert(0, format!("@{}", self.lines.told(place)));
                format!("{thread}::{}{name}{}", self.activation(stack), path(*ty))
            }
            _ => behind(format!("{thread}::heap@{}", self.lines.told(place))),
        };
        Candidate { name, more }
    }

    /// A register in an activation: a variable, or the value of an expression.
    fn register(&self, thread: u32, chain: u32, reg: Reg) -> Candidate {
        let automaton = &self.automata.threads[ThreadId(thread)];
        let callers = &self.automata.chains[chain as usize];
        let mut stacks = automaton.locations.iter().filter_map(|location| {
            let known = |(key, _): &(Key, _)| {
                matches!(key, Key::Register { chain: c, reg: r, .. } if (*c, *r) == (chain, reg))
            };
            match &location.place {
                Point::Code(stack, _) if location.registers.iter().any(known) => Some(stack),
                _ => None,
            }
        });
        let frame = stacks.find_map(|stack| stack.get(..=callers.len()));
        let stack = frame.map_or_else(Vec::new, <[_]>::to_vec);
        let function = stack.last().map_or(automaton.function, |frame| frame.0);
        let code = &self.program.functions[function];
        let mut instrs = code.blocks.iter().flat_map(|block| &block.instrs);
        let defined = instrs.find(|instr| instr.kind.dst() == Some(reg));
        let place = self.lines.told(defined.map_or(code.loc, |instr| instr.loc));
        let thread = &self.threads[thread as usize];
        let activation = self.activation(&stack);
        let mut more = self.called_from(&stack);
        let name = match code.regs.get(reg).and_then(|info| info.name.clone()) {
            Some(name) => {
                more.insert(0, format!("@{place}"));
                format!("{thread}::{activation}{name}")
            }
            None => format!("{thread}::{activation}value@{place}"),
        };
        Candidate { name, more }
    }

    /// The function of an activation, if it is not the thread's own one.
    fn activation(&self, stack: &Stack) -> String {
        match stack.as_slice() {
            [] | [_] => String::new(),
            [.., (function, ..)] => format!("{}::", self.program.functions[*function].name),
        }
    }

    /// The calls that lead to an activation.
    fn called_from(&self, stack: &Stack) -> Vec<String> {
        let callers = stack.split_last().map_or(&[][..], |(_, callers)| callers);
        let calls = self.lines.calls(callers).into_iter();
        calls
            .map(|call| format!(" from {}", self.lines.text(&call)))
            .collect()
    }
}
