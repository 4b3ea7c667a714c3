//! Edits for points: a call of `selvedge_point` right before what must not happen yet.

use super::edit::{Edit, Piece};
use super::names::Names;
use super::nodes::{Form, Node, Range};
use super::plan::Point;
use crate::base::Loc;
use crate::base::sorted::{Entry, SortedMap, SortedSet};
use crate::source::Source;
use std::path::PathBuf;

/// A file with its edits.
#[derive(Debug)]
pub(super) struct File {
    pub text: String,
    pub edits: Vec<Edit>,
}

/// Files of the program that are changed, by unit and by name.
pub(super) type Files = SortedMap<(usize, PathBuf), File>;

/// Points of one expression.
#[derive(Default, Debug)]
struct Here {
    load: Option<usize>,
    store: Option<usize>,
    /// Of a bit-field, or of what may lie anywhere: it has no address that could be kept.
    is_narrow: bool,
}

/// Adds the edits for points, which are numbered in this order.
///
/// # Errors
/// A point for which there is no place in the text, with its place.
pub(super) fn place(
    points: &[Point],
    names: &Names,
    sources: &[(Loc, &Source)],
    files: &mut Files,
) -> Result<(), (Loc, &'static str)> {
    let mut accesses: SortedMap<(Loc, Loc), Here> = SortedMap::new();
    let mut operations: SortedMap<(usize, Range), (Loc, String)> = SortedMap::new();
    for (number, point) in points.iter().enumerate() {
        match *point {
            Point::Load(from, to, is_narrow) => {
                let here = accesses.entry((from, to)).or_default();
                here.load = Some(number);
                here.is_narrow |= is_narrow;
            }
            Point::Store(from, to, is_narrow) => {
                let here = accesses.entry((from, to)).or_default();
                here.store = Some(number);
                here.is_narrow |= is_narrow;
            }
            Point::Operation(loc) => {
                let (unit, nodes, at) = names.unit(loc).ok_or((loc, "no text stands for it"))?;
                let call = call_of(number);
                let text = &sources[unit].1.text;
                if let Some(node) = nodes.operation(at) {
                    operations.insert((unit, node.range), (loc, call));
                } else if let Some(body) = nodes.body_behind(at, text) {
                    let opened = words(&format!("{{ {call}"));
                    let pieces = vec![opened, Part(body.range), words(" }")];
                    Placed { unit, sources }.add(files, body.range, pieces, loc)?;
                } else {
                    return Err((loc, "it is within a declaration or a macro"));
                }
            }
            Point::Waiting | Point::End => {}
        }
    }
    // Parts of the text at which threads stop, and the calls around them, which evaluate their arguments first.
    let mut parts: Vec<(usize, Range)> = operations.keys().copied().collect();
    for ((from, to), here) in accesses {
        let (unit, nodes, at) = names.unit(from).ok_or((from, "no text stands for it"))?;
        let range = (at, at + (to.0 - from.0));
        let node = nodes
            .expression(range)
            .ok_or((from, "it is within a declaration or a macro"))?;
        let place = Placed { unit, sources };
        place.add(files, range, template(node, &here), from)?;
        parts.push((unit, range));
    }
    let mut done: SortedSet<(usize, Range)> = SortedSet::new();
    for (unit, range) in parts {
        let (start, nodes) = &names.0[unit];
        for (node, arguments) in nodes.calls_around(range) {
            let operation = operations.remove(&(unit, node.range));
            let is_wanted = arguments > 1 || operation.is_some();
            if !is_wanted || !done.insert((unit, node.range)) {
                continue;
            }
            let loc = Loc(start.0 + node.range.0);
            let (loc, call) = operation.unwrap_or((loc, String::new()));
            let place = Placed { unit, sources };
            place.add(files, node.range, ordered(node, &call), loc)?;
        }
    }
    for ((unit, range), (loc, call)) in operations {
        let pieces = vec![words(&format!("({{ {call}")), Part(range), words("; })")];
        Placed { unit, sources }.add(files, range, pieces, loc)?;
    }
    Ok(())
}

/// Pieces in the parser's text.
enum Draft {
    Words(String),
    Part(Range),
    /// From behind the one part, or the beginning of what is replaced, to the other, or the end of that.
    Between(Option<Range>, Option<Range>),
}

use Draft::Part;

fn words(words: &str) -> Draft {
    Draft::Words(words.to_string())
}

/// Call of the point with this number, as a statement.
fn call_of(number: usize) -> String {
    format!("selvedge_point({number}); ")
}

/// An expression with points before its read and its write.
fn template(node: &Node, here: &Here) -> Vec<Draft> {
    let call = |number: Option<usize>| number.map(call_of).unwrap_or_default();
    let (load, store) = (call(here.load), call(here.store));
    let place = "__typeof__(&(";
    if here.is_narrow {
        return narrow(node, &load, &store);
    }
    match &node.form {
        Form::Assign(left, right) => vec![
            words(&format!("({{ {place}")),
            Part(*left),
            words(")) selvedge_to = &("),
            Part(*left),
            words("); __typeof__(*selvedge_to) selvedge_new = ("),
            Part(*right),
            words(&format!("); {store}*selvedge_to = selvedge_new; }})")),
        ],
        Form::Compound(left, op, right) => vec![
            words(&format!("({{ {place}")),
            Part(*left),
            words(")) selvedge_to = &("),
            Part(*left),
            words(&format!(
                "); {load}__typeof__(*selvedge_to) selvedge_old = *selvedge_to; __auto_type selvedge_by = ("
            )),
            Part(*right),
            words(&format!(
                "); {store}*selvedge_to = selvedge_old {op} selvedge_by; }})"
            )),
        ],
        Form::Step(operand, op, is_old) => {
            let value = if *is_old { " selvedge_old;" } else { "" };
            vec![
                words(&format!("({{ {place}")),
                Part(*operand),
                words(")) selvedge_to = &("),
                Part(*operand),
                words(&format!(
                    "); {load}__typeof__(*selvedge_to) selvedge_old = *selvedge_to; {store}*selvedge_to = selvedge_old {op} 1;{value} }})"
                )),
            ]
        }
        Form::Name | Form::Call(..) => {
            vec![
                words(&format!("({{ {load}{store}")),
                Part(node.range),
                words("; })"),
            ]
        }
        _ => vec![
            words(&format!("(*({{ {place}")),
            Part(node.range),
            words(")) selvedge_at = &("),
            Part(node.range),
            words(&format!("); {load}{store}selvedge_at; }}))")),
        ],
    }
}

/// A call that evaluates its arguments in the order in which they stand, as the interpreter does (C leaves it open), and then comes to a
/// point, if there is one.
fn ordered(node: &Node, point: &str) -> Vec<Draft> {
    let Form::Call(_, arguments) = &node.form else {
        unreachable!("what has arguments is a call");
    };
    let changing = arguments.iter().filter(|(_, is_constant)| !is_constant);
    let changing: Vec<Range> = changing.map(|(argument, _)| *argument).collect();
    let mut pieces = vec![words("({ ")];
    for (index, argument) in changing.iter().enumerate() {
        pieces.push(words(&format!("__auto_type selvedge_{index} = (")));
        pieces.push(Part(*argument));
        pieces.push(words("); "));
    }
    pieces.push(words(point));
    let mut last = None;
    for (index, argument) in changing.iter().enumerate() {
        pieces.push(Draft::Between(last, Some(*argument)));
        pieces.push(words(&format!("selvedge_{index}")));
        last = Some(*argument);
    }
    pieces.push(Draft::Between(last, None));
    pieces.push(words("; })"));
    pieces
}

/// The same of a bit-field, or of what may lie anywhere.
fn narrow(node: &Node, load: &str, store: &str) -> Vec<Draft> {
    match &node.form {
        Form::Assign(left, right) => vec![
            words("("),
            Part(*left),
            words(" = ({ __auto_type selvedge_new = ("),
            Part(*right),
            words(&format!("); {load}{store}selvedge_new; }}))")),
        ],
        Form::Compound(left, op, right) => vec![
            words("("),
            Part(*left),
            words(&format!(" = ({{ {load}int selvedge_old = ")),
            Part(*left),
            words("; __auto_type selvedge_by = ("),
            Part(*right),
            words(&format!("); {store}selvedge_old {op} selvedge_by; }}))")),
        ],
        // The value before a step is not kept.
        Form::Step(operand, op, false) => vec![
            words("("),
            Part(*operand),
            words(&format!(" = ({{ {load}int selvedge_old = ")),
            Part(*operand),
            words(&format!("; {store}selvedge_old {op} 1; }}))")),
        ],
        _ => vec![
            words(&format!("({{ {load}{store}")),
            Part(node.range),
            words("; })"),
        ],
    }
}

/// The way from the parser's text of a unit to its files.
struct Placed<'a> {
    unit: usize,
    sources: &'a [(Loc, &'a Source)],
}

impl Placed<'_> {
    /// Adds an edit.
    fn add(
        &self,
        files: &mut Files,
        range: Range,
        pieces: Vec<Draft>,
        loc: Loc,
    ) -> Result<(), (Loc, &'static str)> {
        let inside = (loc, "it is within a macro");
        let (file, whole) = self.span(range).ok_or(inside)?;
        let within = |part: Range| {
            let (other, part) = self.span(part).ok_or(inside)?;
            let is_within = other == file && whole.start <= part.start && part.end <= whole.end;
            if is_within { Ok(part) } else { Err(inside) }
        };
        let mut own = Vec::new();
        for piece in pieces {
            own.push(match piece {
                Draft::Words(words) => Piece::Words(words),
                Draft::Part(part) => Piece::Part(within(part)?),
                Draft::Between(from, to) => {
                    let from = from.map(within).transpose()?;
                    let to = to.map(within).transpose()?;
                    let from = from.map_or(whole.start, |part| part.end);
                    let to = to.map_or(whole.end, |part| part.start);
                    if from > to {
                        return Err(inside);
                    }
                    Piece::Part(from..to)
                }
            });
        }
        let source = self.sources[self.unit].1;
        let entry = files.entry((self.unit, file.clone()));
        let entry = match entry {
            Entry::Occupied(entry) => entry.into_mut(),
            Entry::Vacant(entry) => {
                let text = source
                    .text_of(&file)
                    .ok_or((loc, "its file is not there"))?;
                entry.insert(File {
                    text,
                    edits: Vec::new(),
                })
            }
        };
        let edit = Edit {
            range: whole,
            pieces: own,
        };
        if !entry.edits.contains(&edit) {
            entry.edits.push(edit);
        }
        Ok(())
    }

    /// The same part of the user's file; `None` if it is not there as it is parsed.
    fn span(&self, range: Range) -> Option<(PathBuf, std::ops::Range<usize>)> {
        let source = self.sources[self.unit].1;
        source.file_span(Loc(range.0), Loc(range.1))
    }
}

/// Functions and labels that a program reaches where it is wrong.
const REACHED: &[&str] = &["reach_error", "__VERIFIER_error", "ERROR"];

/// Lets the program say that it has reached one of those, where its text has them.
pub(super) fn mark(names: &Names, sources: &[(Loc, &Source)], files: &mut Files) {
    for (unit, (start, nodes)) in names.0.iter().enumerate() {
        let place = Placed { unit, sources };
        for node in nodes.named(REACHED) {
            let call = "{ selvedge_reached(); ";
            let pieces = vec![words(call), Part(node.range), words(" }")];
            // Where a macro has made it, the program stops in its own way.
            let _ = place.add(files, node.range, pieces, Loc(start.0 + node.range.0));
        }
    }
}
