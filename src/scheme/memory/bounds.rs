//! Memory bounds: how much of store buffers and of addressed memory is looked at (Tomasco et al., §IV).

use super::Circuit;
use crate::base::IdVec;
use crate::circuit::{Formula, Lit};
use crate::event::{CellId, EventKind, EventProgram, Target};
use crate::scheme::faults::{self, Fault};
use crate::term::TermId;

/// Abstraction of the store buffers of a weak memory model: how they are computed.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Abstraction {
    /// A list with stamps for each variable (eTSO, ePSO).
    #[default]
    Lists,
    /// Store buffers as they are (TSO-SMA, PSO-SMA): the reference.
    Buffers,
}

impl Abstraction {
    /// All.
    pub const ALL: [Abstraction; 2] = [Abstraction::Lists, Abstraction::Buffers];

    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Abstraction::Lists => "lists",
            Abstraction::Buffers => "buffers",
        }
    }
}

/// Memory bounds: how much of store buffers and of addressed memory is looked at.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Bounds {
    /// The store buffers' abstraction, which the bounds are of.
    pub abstraction: Abstraction,
    /// Nodes of the list of each variable (the paper's N, at least 1): a write is issued while at most N − 2 writes to
    /// its variable are pending, over all threads. Of lists alone.
    pub nodes: u32,
    /// The clock's bound (the paper's K, at least 1): memory changes in at most K − 1 batches, besides writes that
    /// reach it at once. Of lists alone.
    pub clock: u32,
    /// The most places that an execution reaches through addresses that are not known beforehand (the part of the
    /// paper's V that has no name in the program); an access to another one blocks.
    pub addresses: u32,
}

impl Bounds {
    /// Bounds that leave nothing out of a program: a node for every write to a variable and one for its first value,
    /// a batch for every write that is buffered, all places.
    pub fn enough(program: &EventProgram) -> Bounds {
        let delayed = delayed(program);
        let mut writes = vec![0; program.cells.len()];
        let mut buffered = 0;
        for event in program.events.iter() {
            let EventKind::Write { targets, .. } = &event.kind else {
                continue;
            };
            buffered += u32::from(event.buffered);
            for target in program.possible(targets) {
                let writes = &mut writes[target.cell.0 as usize];
                *writes = if delayed[target.cell] { *writes + 1 } else { 1 };
            }
        }
        let addressed = addressed(program);
        Bounds {
            abstraction: Abstraction::Lists,
            nodes: 1 + writes.into_iter().max().unwrap_or(0),
            clock: 1 + buffered,
            addresses: addressed.iter().filter(|&&there| there).count() as u32,
        }
    }

    /// Sequential consistency: true if the bounds let nothing ever be pending, and every write be made.
    pub fn is_sequential(self) -> bool {
        self.abstraction == Abstraction::Lists && self.clock == 1 && self.nodes > 1
    }
}

/// Limits on how much of store buffers is looked at; `None` where nothing shall be left out.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Limits {
    /// The store buffers' abstraction, which the limits are of.
    pub abstraction: Abstraction,
    /// Nodes of the list of each variable: at most two fewer writes to it are pending, over all threads. Of lists alone.
    pub nodes: Option<u32>,
    /// The clock's bound: memory changes in fewer batches, besides writes that reach it at once. Of lists alone.
    pub clock: Option<u32>,
    /// The most places that an execution reaches through addresses that are not known beforehand.
    pub addresses: Option<u32>,
}

impl Limits {
    /// None, of lists.
    pub const NONE: Limits = Limits {
        abstraction: Abstraction::Lists,
        nodes: None,
        clock: None,
        addresses: None,
    };

    /// True if some bound is asked for, so that executions may be left out.
    #[cfg(feature = "internals")]
    pub fn is_bounded(self) -> bool {
        (self.nodes, self.clock, self.addresses) != (None, None, None)
    }

    /// The bounds of a program.
    pub(crate) fn of(self, enough: Bounds) -> Bounds {
        Bounds {
            abstraction: self.abstraction,
            nodes: self.nodes.unwrap_or(enough.nodes),
            clock: self.clock.unwrap_or(enough.clock),
            addresses: self.addresses.unwrap_or(enough.addresses),
        }
    }
}

#[cfg(test)]
impl From<Bounds> for Limits {
    fn from(bounds: Bounds) -> Limits {
        Limits {
            abstraction: bounds.abstraction,
            nodes: Some(bounds.nodes),
            clock: Some(bounds.clock),
            addresses: Some(bounds.addresses),
        }
    }
}

/// Cells that some write through a buffer may touch.
pub fn delayed(program: &EventProgram) -> IdVec<CellId, bool> {
    let mut delayed: IdVec<CellId, bool> = program.cells.iter().map(|_| false).collect();
    for event in program.events.iter().filter(|event| event.buffered) {
        if let EventKind::Write { targets, .. } = &event.kind {
            for target in program.possible(targets) {
                delayed[target.cell] = true;
            }
        }
    }
    delayed
}

/// Cells that some access means through an address that it may mean another cell by.
pub fn addressed(program: &EventProgram) -> IdVec<CellId, bool> {
    let mut addressed: IdVec<CellId, bool> = program.cells.iter().map(|_| false).collect();
    for event in program.events.iter() {
        let (EventKind::Read { targets, .. } | EventKind::Write { targets, .. }) = &event.kind
        else {
            continue;
        };
        let possible: Vec<&Target> = program.possible(targets).collect();
        if possible.len() > 1 {
            for target in possible {
                addressed[target.cell] = true;
            }
        }
    }
    addressed
}

/// The places that an execution reaches through addresses: which, is guessed once.
pub struct Tracked {
    /// By cell, the condition that it is among them; `None` if it need not be.
    cells: IdVec<CellId, Option<Lit>>,
}

impl Tracked {
    /// At most so many of a program.
    pub fn of(program: &EventProgram, formula: &mut Formula, most: u32) -> Tracked {
        let addressed = addressed(program);
        if addressed.iter().filter(|&&there| there).count() <= most as usize {
            return Tracked {
                cells: addressed.iter().map(|_| None).collect(),
            };
        }
        // Of the cells so far, more than `i` are among them.
        let mut more = vec![Lit::FALSE; most as usize];
        let guess = |&there: &bool| {
            let cell = there.then(|| formula.new_lit())?;
            let all = more.last().copied().unwrap_or(Lit::TRUE);
            formula.add_clause(&[!cell, !all]);
            for i in (0..more.len()).rev() {
                let fewer = i.checked_sub(1).map_or(Lit::TRUE, |i| more[i]);
                let here = formula.and(fewer, cell);
                more[i] = formula.or(more[i], here);
            }
            Some(cell)
        };
        Tracked {
            cells: addressed.iter().map(guess).collect(),
        }
    }

    /// A cell is touched under this condition: otherwise, the thread has not got there.
    pub fn touch(&self, circuit: &mut Circuit, cell: CellId, when: TermId) {
        if let Some(tracked) = self.cells[cell]
            && !faults::on(Fault::AddressUntracked)
        {
            let when = circuit.formula.lit_of(circuit.terms, when);
            circuit.formula.add_clause(&[!when, tracked]);
        }
    }
}
