//! Steps, values and places for tests of reports.

use crate::base::Loc;
use crate::event::ThreadId;
use crate::ir::ty::Reading;
use crate::source::Position;
use crate::source::place::Places;
use crate::trace::{Action, TraceStep, Value};

/// Places of a file without text: position n is line n.
pub struct Lines;

impl Places for Lines {
    fn position(&self, loc: Loc) -> Option<Position> {
        Some(Position {
            file: "a.c".to_string(),
            line: loc.0,
            column: 1,
        })
    }

    fn line_text(&self, _: Loc) -> Option<String> {
        None
    }
}

/// An `int`.
pub fn int(value: i32) -> Value {
    Value {
        bits: 32,
        value: u128::from(value as u32),
        reading: Reading::Signed,
        name: None,
    }
}

/// A step of a thread at a line, of `main` or of `inc`.
pub fn step(thread: u32, line: u32, action: Action) -> TraceStep {
    let function = if thread == 0 { "main" } else { "inc" };
    TraceStep {
        thread: ThreadId(thread),
        loc: Loc(line),
        calls: Vec::new(),
        function: function.to_string(),
        atomic: false,
        action,
    }
}

/// A read of memory that others can see, by nobody known.
pub fn read(place: &str, value: i32) -> Action {
    Action::Read {
        place: place.to_string(),
        value: int(value),
        from: None,
        is_initial: false,
        is_private: false,
    }
}
