//! What is executed at most once: functions that one instruction enters, which is executed at most once itself.

use super::flow::Flow;
use super::site::Site;
use crate::analysis::loops::Loops;
use crate::base::sorted::{SortedMap, SortedSet};
use crate::ir::{FuncId, Instr, InstrKind, Operand, Program};
use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;
use std::cell::RefCell;

/// Answers about a program.
pub(super) struct Once<'p> {
    program: &'p Program,
    /// Instructions that call a function or start threads in it.
    entries: SortedMap<FuncId, Vec<Site>>,
    known: RefCell<HashMap<FuncId, bool, FxBuildHasher>>,
    loops: RefCell<HashMap<FuncId, Loops, FxBuildHasher>>,
}

impl<'p> Once<'p> {
    pub(super) fn of(program: &'p Program, flow: &Flow) -> Once<'p> {
        let mut entries: SortedMap<FuncId, Vec<Site>> = SortedMap::new();
        for (site, targets) in flow.calls.iter().chain(&flow.spawns) {
            for &target in targets {
                entries.entry(target).or_default().push(*site);
            }
        }
        Once {
            program,
            entries,
            known: RefCell::default(),
            loops: RefCell::default(),
        }
    }

    /// True if an instruction is in no loop of its function.
    pub(super) fn is_straight(&self, site: Site) -> bool {
        let mut loops = self.loops.borrow_mut();
        let function = &self.program.functions[site.function];
        let loops = loops
            .entry(site.function)
            .or_insert_with(|| Loops::of(function));
        loops.nest[site.block].is_empty()
    }

    /// True if there is one object at a time of those that an instruction allocates in an activation of its function: it is
    /// in no loop, or each way back to it ends the life of the last one.
    pub(super) fn is_alone(&self, site: Site) -> bool {
        let function = &self.program.functions[site.function];
        let instrs = &function.blocks[site.block].instrs;
        let Some(dst) = instrs[site.index].kind.dst() else {
            return false;
        };
        let ends = |instrs: &[Instr]| {
            let is_end = |instr: &Instr| matches!(instr.kind, InstrKind::EndLife { addr } if addr == Operand::Reg(dst));
            instrs.iter().any(is_end)
        };
        let mut seen = SortedSet::new();
        let mut work = Vec::new();
        if !ends(&instrs[site.index + 1..]) {
            work.extend(function.blocks[site.block].end.successors());
        }
        while let Some(block) = work.pop() {
            if block == site.block {
                if !ends(&instrs[..site.index]) {
                    return false;
                }
            } else if seen.insert(block) && !ends(&function.blocks[block].instrs) {
                work.extend(function.blocks[block].end.successors());
            }
        }
        true
    }

    /// True if an instruction is executed at most once, by one thread.
    pub(super) fn is_once(&self, site: Site) -> bool {
        self.is_straight(site) && self.enters_once(site.function)
    }

    /// True if a function is entered at most once.
    pub(super) fn enters_once(&self, function: FuncId) -> bool {
        if let Some(&known) = self.known.borrow().get(&function) {
            return known;
        }
        // In a circle of calls, no.
        self.known.borrow_mut().insert(function, false);
        let entries = self.entries.get(&function).map_or(&[][..], Vec::as_slice);
        let is_once = match entries {
            [] => function == self.program.main,
            [site] => function != self.program.main && self.is_once(*site),
            _ => false,
        };
        self.known.borrow_mut().insert(function, is_once);
        is_once
    }

    /// True if a function may be active twice in one thread.
    pub(super) fn is_recursive(&self, function: FuncId) -> bool {
        let mut seen = vec![function];
        let mut work = vec![function];
        while let Some(at) = work.pop() {
            for site in self.entries.get(&at).into_iter().flatten() {
                if site.function == function {
                    return true;
                }
                if !seen.contains(&site.function) {
                    seen.push(site.function);
                    work.push(site.function);
                }
            }
        }
        false
    }
}
