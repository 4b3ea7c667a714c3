//! An event program as text: thread by thread, one line per event.

use crate::base::Loc;
use crate::event::{CellId, Cut, Event, EventId, EventKind, EventProgram, Target, ThreadId};
use crate::term::{Node, Op, TermId, Terms};
use std::fmt::Write;

/// Depth of printed terms; what is deeper is `…`.
const DEPTH: usize = 4;

/// The listing. `thread_name` names a thread (its start routine), `place` a source position; `note` is what else is to
/// be said of an event.
pub fn listing(
    program: &EventProgram,
    thread_name: &dyn Fn(ThreadId) -> String,
    place: &dyn Fn(Loc) -> String,
    note: &dyn Fn(EventId) -> Option<String>,
) -> String {
    let mut text = String::new();
    for (id, cell) in program.cells.iter_ids() {
        let init = short(&program.terms, cell.init);
        let sync = if cell.sync { " (lock)" } else { "" };
        let _ = writeln!(
            text,
            "cell {} {}: {} bits{sync}, initially {init}",
            id.0,
            cell_name(program, id),
            cell.bits
        );
    }
    for (id, thread) in program.threads.iter_ids() {
        let by = match thread.created_by {
            Some(event) => format!(", created by event {}", event.0),
            None => String::new(),
        };
        let _ = writeln!(text, "thread {} {}{by}", id.0, thread_name(id));
        for &event in &thread.events {
            line(&mut text, program, event, place, note(event));
        }
    }
    text
}

fn line(
    text: &mut String,
    program: &EventProgram,
    id: EventId,
    place: &dyn Fn(Loc) -> String,
    note: Option<String>,
) {
    let event = &program.events[id];
    let section = event
        .section
        .map_or(String::new(), |section| format!(" section {}", section.0));
    let guard = if event.guard == program.terms.tru() {
        String::new()
    } else {
        format!("  if {}", short(&program.terms, event.guard))
    };
    let _ = writeln!(
        text,
        "  {:>5}{section} {}{guard}  [{}]{}",
        id.0,
        describe(program, event),
        place(event.loc),
        note.map_or(String::new(), |note| format!("  {note}"))
    );
}

/// Short description of an event: its operation, places and values, in a few words.
pub fn describe(program: &EventProgram, event: &Event) -> String {
    let terms = &program.terms;
    match &event.kind {
        EventKind::Read {
            value,
            targets,
            role,
        } => {
            format!(
                "{} = read {} ({role:?})",
                short(terms, *value),
                places(program, targets)
            )
        }
        EventKind::Write {
            value,
            targets,
            role,
        } => {
            format!(
                "write {} := {} ({role:?})",
                places(program, targets),
                short(terms, *value)
            )
        }
        EventKind::Fence => "fence".to_string(),
        EventKind::Create { child } => format!("create thread {}", child.0),
        EventKind::Join { targets, done } => {
            let names: Vec<String> = targets
                .iter()
                .map(|&(thread, when)| {
                    if when == terms.tru() {
                        format!("{}", thread.0)
                    } else {
                        format!("{} if {}", thread.0, short(terms, when))
                    }
                })
                .collect();
            format!(
                "{} = join thread {}",
                short(terms, *done),
                names.join(" or ")
            )
        }
        EventKind::End => "end".to_string(),
        EventKind::Assert { cond, property } => {
            format!("assert {} ({property:?})", short(terms, *cond))
        }
        EventKind::Cut { why } => match why {
            Cut::Unwind(_) => "cut: Unwind".to_string(),
            Cut::LoopBudget(_) => "cut: LoopBudget".to_string(),
            Cut::Recursion(_) => "cut: Recursion".to_string(),
            why => format!("cut: {why:?}"),
        },
        EventKind::Rest(rest) => {
            let kind = rest.kind.name();
            format!("rest: {kind} if {}", short(terms, rest.stays))
        }
    }
}

fn places(program: &EventProgram, targets: &[Target]) -> String {
    let names: Vec<String> = targets
        .iter()
        .map(|target| {
            let name = cell_name(program, target.cell);
            if target.when == program.terms.tru() {
                name
            } else {
                format!("{name} if {}", short(&program.terms, target.when))
            }
        })
        .collect();
    names.join(" or ")
}

/// Object and offset of a cell.
pub fn cell_name(program: &EventProgram, id: CellId) -> String {
    let cell = &program.cells[id];
    let object = program
        .objects
        .get(cell.object)
        .map_or("?", |object| object.name.as_str());
    let element = match cell.element {
        Some(element) => format!("[{}]", short(&program.terms, element)),
        None => String::new(),
    };
    match cell.offset_bytes {
        0 => format!("{object}{element}"),
        offset => format!("{object}{element}+{offset}"),
    }
}

/// A term in prefix form, cut at a small depth. Variables carry their number, as names repeat.
pub fn short(terms: &Terms, t: TermId) -> String {
    let mut text = String::new();
    write_term(&mut text, terms, t, DEPTH);
    text
}

fn write_term(text: &mut String, terms: &Terms, t: TermId, depth: usize) {
    match terms.node(t) {
        Node::Constant(value) => {
            let _ = write!(text, "{value}");
        }
        Node::Variable(var) => {
            let _ = write!(text, "{}.{}", terms.name(var), var.0);
        }
        _ if depth == 0 => text.push('…'),
        Node::Not(inner) => match terms.node(inner) {
            Node::Binary(Op::Eq, a, b) => {
                operands(text, terms, "!=", [a, b], depth);
            }
            Node::Binary(Op::And, a, b) => {
                // The disjunction of the complements.
                text.push_str("(or");
                for operand in [a, b] {
                    text.push(' ');
                    match terms.node(operand) {
                        Node::Not(positive) => write_term(text, terms, positive, depth - 1),
                        _ => {
                            text.push_str("(not ");
                            write_term(text, terms, operand, depth - 1);
                            text.push(')');
                        }
                    }
                }
                text.push(')');
            }
            _ => operands(text, terms, "not", [inner], depth),
        },
        Node::Extract { from, lo } => {
            let high = lo + terms.bits(t) - 1;
            operands(text, terms, &format!("bits {high}..{lo}"), [from], depth);
        }
        _ => operands(text, terms, terms.op(t).name(), terms.children(t), depth),
    }
}

fn operands(
    text: &mut String,
    terms: &Terms,
    name: &str,
    of: impl IntoIterator<Item = TermId>,
    depth: usize,
) {
    text.push('(');
    text.push_str(name);
    for operand in of {
        text.push(' ');
        write_term(text, terms, operand, depth - 1);
    }
    text.push(')');
}
