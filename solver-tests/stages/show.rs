//! Output of stages for a program, as text.

use selvedge::analysis::Facts;
use selvedge::base::{Budget, Loc};
use selvedge::event::print::{cell_name, describe, listing, short};
use selvedge::event::{EventKind, EventProgram, Origin, ThreadId};
use selvedge::ir::{BlockId, Program};
use selvedge::reduce::forward::forward;
use selvedge::reduce::slice::{Keep, slice as slice_events};
use selvedge::reduce::value_range::narrow;
use selvedge::relation::access::Accesses;
use selvedge::relation::level::Ranges;
use selvedge::relation::mover;
use selvedge::relation::program_order::{ProgramOrder, StepId};
use selvedge::relation::static_order::StaticOrder;
use selvedge::scheme::mu::plan::Plan;
use selvedge::scheme::mu::{self, Variant};
use selvedge::term::Fact;
use selvedge::transition::{self, Automata, Key, Outcome, Point, SlotOwner};
use std::fmt::Write;

fn words<T>(items: impl IntoIterator<Item = T>, word: impl Fn(T) -> String) -> String {
    items
        .into_iter()
        .map(|item| " ".to_string() + &word(item))
        .collect()
}

fn block(id: BlockId) -> String {
    format!("b{}", id.0)
}

/// The weak topological order of each function's blocks, and the blocks of each loop.
pub fn loops(program: &Program) -> String {
    let mut text = String::new();
    for (id, facts) in Facts::of(program).functions.iter_ids() {
        let loops = &facts.loops;
        let mut blocks: Vec<BlockId> = loops.order.ids().collect();
        blocks.retain(|&b| loops.order[b] != u32::MAX);
        blocks.sort_by_key(|&b| loops.order[b]);
        let _ = writeln!(text, "f{} order{}", id.0, words(&blocks, |&b| block(b)));
        for head in loops.heads() {
            let within = blocks.iter().filter(|&&b| loops.nest[b].contains(&head));
            let within = words(within, |&b| block(b));
            let _ = writeln!(text, "f{} loop {}:{within}", id.0, block(head));
        }
    }
    text
}

/// Blocks whose end decides nothing.
pub fn literal(program: &Program) -> String {
    let mut text = String::new();
    for (id, facts) in Facts::of(program).functions.iter_ids() {
        let ends = facts
            .literal_ends
            .iter_ids()
            .filter(|(_, literal)| **literal);
        let _ = writeln!(text, "f{}:{}", id.0, words(ends, |(b, _)| block(b)));
    }
    text
}

/// Registers that live at the start of each block.
pub fn liveness(program: &Program) -> String {
    let mut text = String::new();
    for (id, facts) in Facts::of(program).functions.iter_ids() {
        for (b, live) in facts.live_in.iter_ids() {
            let live = words(live.iter(), |reg| format!("r{}", reg.0));
            let _ = writeln!(text, "f{} {}:{live}", id.0, block(b));
        }
    }
    text
}

/// The line of the program's text at a place.
fn instruction(text: &str, loc: Loc) -> String {
    let line = text
        .get(loc.0 as usize..)
        .and_then(|rest| rest.lines().next());
    let code = line.and_then(|line| line.split(" #").next());
    code.unwrap_or_default().trim().to_string()
}

/// The unrolled program; behind each event stands its instruction, and of a write whether it goes through a buffer.
pub fn events(program: &Program, text: &str, events: &EventProgram) -> String {
    let function = |id| program.functions[events.threads[id].function].name.clone();
    let note = |id| events.events[id].buffered.then(|| "buffered".to_string());
    let mut shown = listing(events, &function, &|loc| instruction(text, loc), &note);
    for &fact in &events.facts {
        let _ = writeln!(shown, "fact {}", short(&events.terms, fact));
    }
    shown
}

/// Value range of each read, from the writes that there are; assertions; events that cannot happen.
pub fn ranges(mut events: EventProgram) -> String {
    narrow(&mut events);
    let mut text = String::new();
    for (id, event) in events.events.iter_ids() {
        if event.guard == events.terms.fals() {
            let _ = writeln!(text, "{} never: {}", id.0, describe(&events, event));
            continue;
        }
        if let EventKind::Assert { .. } = event.kind {
            let _ = writeln!(text, "{} {}", id.0, describe(&events, event));
        }
        if let EventKind::Read { value, targets, .. } = &event.kind {
            let fact = events.terms.fact(*value);
            let cells = words(targets, |target| cell_name(&events, target.cell));
            let _ = writeln!(text, "{} read{cells}: {}", id.0, within(&fact));
        }
    }
    text
}

fn within(fact: &Fact) -> String {
    format!("{} to {}", fact.lo, fact.hi)
}

/// Value ranges under the static order: of reads and of what writes store, if they happen; `-` for nothing.
pub fn levels(mut events: EventProgram) -> String {
    let po = ProgramOrder::of(&mut events);
    let order = StaticOrder::of(&mut events, &po);
    let (accesses, _) = Accesses::unresolved(&mut events, &po);
    let ranges = Ranges::of(&mut events, &po, &order, &accesses);
    let mut text = String::new();
    for (id, event) in events.events.iter_ids() {
        let known = match &event.kind {
            EventKind::Read { value, .. } => {
                let var = events.terms.var_of(*value);
                vec![var.and_then(|var| ranges.read(var))]
            }
            EventKind::Write { targets, .. } => {
                let cells = targets.iter().map(|target| target.cell);
                cells.map(|cell| ranges.write(id, cell).flatten()).collect()
            }
            _ => continue,
        };
        let known = words(known, |range| {
            range.map_or("-".into(), |range| within(&range.fact))
        });
        let _ = writeln!(text, "{} {}:{known}", id.0, describe(&events, event));
    }
    text
}

/// Value ranges of each cell of memory after at most so many writes, or clusters of writes; the number of them that a
/// violation needs.
pub fn memory(mut events: EventProgram, variant: Variant) -> String {
    let mut plan = Plan::of(&mut events);
    let most = plan.most;
    let values = mu::ranges(&mut events, &mut plan, (variant, most));
    let mut text = String::new();
    for cell in events.cells.ids().filter(|&cell| !events.is_result(cell)) {
        let levels = words(0..=most, |i| {
            let known = values.after(cell, i).map_or("-".into(), within);
            format!("[{i}] {known}")
        });
        let _ = writeln!(text, "{}:{levels}", cell_name(&events, cell));
    }
    let least = values.least();
    let least = if least > most {
        "none".into()
    } else {
        least.to_string()
    };
    let _ = writeln!(text, "violated after: {least}");
    text
}

/// The unrolled program without reads of what only their own thread writes.
pub fn forwarded(program: &Program, text: &str, mut of: EventProgram) -> String {
    forward(&mut of);
    events(program, text, &of)
}

/// Events that nothing depends on.
pub fn slice(mut events: EventProgram) -> String {
    let before: Vec<_> = events.events.iter().map(|event| event.guard).collect();
    slice_events(&mut events, Keep::Needed);
    let mut text = String::new();
    for ((id, event), before) in events.events.iter_ids().zip(before) {
        let gone = event.guard != before;
        let word = if gone { "out" } else { "in " };
        let _ = writeln!(text, "{word} {} {}", id.0, describe(&events, event));
    }
    text
}

/// The events of a step.
fn step(events: &EventProgram, po: &ProgramOrder, id: StepId) -> String {
    let all = po.steps[id].events.iter();
    let all: Vec<String> = all.map(|&e| describe(events, &events.events[e])).collect();
    all.join("; ")
}

/// The name of a step: its thread, and its place there.
fn number(po: &ProgramOrder, id: StepId) -> String {
    format!("{}.{}", po.steps[id].thread.0, po.steps[id].index)
}

/// Each step with why control may change before it, or with `+` and why it need not.
pub fn movers(mut events: EventProgram) -> String {
    let po = ProgramOrder::issued(&events);
    let why = mover::explain(&mut events, &po);
    let together = mover::together(&mut events, &po);
    let mut text = String::new();
    for id in po.steps.ids() {
        let sign = if together[id] { '+' } else { ' ' };
        let why = match why[id] {
            mover::Why::Conflict { other, .. } => {
                let step = po.step_of[other].map(|step| number(&po, step));
                format!("Conflict with {}", step.unwrap_or_default())
            }
            why => format!("{why:?}"),
        };
        let _ = writeln!(
            text,
            "{sign} {} {}: {why}",
            number(&po, id),
            step(&events, &po, id)
        );
    }
    text
}

/// For each step, the last step of every other thread that comes before it in every execution.
pub fn order(mut events: EventProgram) -> String {
    let po = ProgramOrder::issued(&events);
    let order = StaticOrder::of(&mut events, &po);
    let mut text = String::new();
    for (id, clock) in order.clocks.iter_ids() {
        let others = po.chains.iter_ids().zip(clock);
        let others =
            others.filter(|((chain, _), count)| *chain != po.steps[id].thread && **count > 0);
        let last = words(others, |((_, steps), &count)| {
            number(&po, steps[count as usize - 1])
        });
        let after = if last.is_empty() {
            String::new()
        } else {
            format!(", after{last}")
        };
        let _ = writeln!(
            text,
            "{} {}{after}",
            number(&po, id),
            step(&events, &po, id)
        );
    }
    let joins = words(&order.joins, |join| join.0.to_string());
    let _ = writeln!(text, "joins in the order:{joins}");
    text
}

/// The automata of the threads, with what updates change.
pub fn automata(program: &Program) -> Result<String, String> {
    let automata =
        transition::automata(program, &Budget::unlimited()).map_err(|e| format!("{e:?}"))?;
    let mut text = String::new();
    for (key, variable) in &automata.variables {
        let term = match automata.terms.as_constant(variable.term) {
            Some(value) => format!("always {value}"),
            None => format!(
                "{}, initially {}",
                short(&automata.terms, variable.term),
                variable.initial
            ),
        };
        let name = key_name(program, &automata, key);
        let bits = automata.terms.bits(variable.term);
        let _ = writeln!(text, "{name}: {bits} bits, {term}");
    }
    for (number, thread) in automata.threads.iter_ids() {
        let _ = writeln!(
            text,
            "thread {} {}",
            number.0, program.functions[thread.function].name
        );
        for (id, location) in thread.locations.iter_ids() {
            let beside = match number {
                ThreadId(0) => words(automata.beside[id].iter(), |other| {
                    format!("beside {}", other.0)
                }),
                _ => String::new(),
            };
            let _ = writeln!(text, "  l{} at {}{beside}", id.0, point(&location.place));
            for edge in thread.edges.iter().filter(|edge| edge.from == id) {
                let outcome = match &edge.outcome {
                    Outcome::Goto(to) => format!("l{}", to.0),
                    Outcome::Violation { property, .. } => format!("violated {property:?}"),
                    Outcome::Undefined { why, .. } => format!("undefined {why:?}"),
                    Outcome::Unsupported { what, .. } => format!("unsupported {what}"),
                };
                let guard = short(&automata.terms, edge.guard);
                let updates = words(&edge.updates, |(key, value)| {
                    let name = key_name(program, &automata, key);
                    format!("{name} := {}", short(&automata.terms, *value))
                });
                let _ = writeln!(text, "    if {guard} to {outcome}:{updates}");
            }
        }
    }
    Ok(text)
}

/// Function, block and instruction of each activation, and the iterations of loops that are unrolled.
fn point(point: &Point) -> String {
    match point {
        Point::Code(stack, depth) => {
            let stack = words(stack, |(f, b, index, iterations)| {
                let iterations = iterations.iter().filter(|number| **number > 0);
                let iterations = words(iterations, |number| format!("in iteration {number}"));
                format!("f{}.b{}.{index}{iterations}", f.0, b.0)
            });
            let section = if *depth > 0 { " in a section" } else { "" };
            format!("{}{section}", stack.trim_start())
        }
        Point::Ended => "its end".into(),
        Point::Stopped => "a stop".into(),
    }
}

fn key_name(program: &Program, automata: &Automata, key: &Key) -> String {
    let object = |slot| {
        let place = automata.slots.iter().find(|(_, of)| *of == slot);
        match place.map(|(place, _)| place) {
            Some(SlotOwner::Static(Origin::Global(id))) => program.globals[*id].name.clone(),
            Some(SlotOwner::Stack(thread, _)) => format!("local of {}", thread.0),
            Some(SlotOwner::Heap(thread, _)) => format!("heap of {}", thread.0),
            _ => "object".into(),
        }
    };
    match key {
        Key::Register { thread, reg, .. } => format!("{thread}.r{}", reg.0),
        Key::Within { thread, reg, .. } => format!("{thread}.within r{}", reg.0),
        Key::Distance { thread, reg, .. } => format!("{thread}.offset r{}", reg.0),
        Key::Cell { slot, offset, .. } => format!("{}+{offset}", object(*slot)),
        Key::Mutex { slot, offset } => format!("mutex {}+{offset}", object(*slot)),
        Key::Note {
            slot, offset, what, ..
        } => format!("{what:?} {}+{offset}", object(*slot)).to_lowercase(),
        Key::Live(slot) => format!("live {}", object(*slot)),
        Key::Size(slot) => format!("size {}", object(*slot)),
        Key::Content(slot) => format!("content {}", object(*slot)),
        Key::Started(thread) => format!("started {thread}"),
        Key::Ended(thread) => format!("ended {thread}"),
        Key::Result(thread) => format!("result {thread}"),
    }
}
