//! Operations at places of the program's text: calls by the name of the function, and other expressions that are one operation.

use super::nodes::{Form, Nodes};
use crate::base::Loc;
use crate::trace::replay::executed::{Executed, Kind};

/// Functions that wait in between, and how the first part of each ends.
const WAITING: &[(&str, Wait)] = &[
    ("pthread_cond_wait", Wait::Released),
    ("pthread_cond_timedwait", Wait::Released),
    ("pthread_cond_clockwait", Wait::Released),
    ("cnd_wait", Wait::Released),
    ("cnd_timedwait", Wait::Released),
    ("pthread_barrier_wait", Wait::Arrived),
    ("syscall", Wait::Compared),
];

/// Way in which a function begins to wait.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Wait {
    /// It releases a mutex.
    Released,
    /// It counts who has come.
    Arrived,
    /// It compares a word (a futex).
    Compared,
}

impl Wait {
    /// True if an instruction of the function says that its first part is over.
    pub fn has_begun(self, kind: Kind) -> bool {
        match self {
            Wait::Released => kind == Kind::Unlock,
            Wait::Arrived => matches!(kind, Kind::Store(_)),
            Wait::Compared => matches!(kind, Kind::Load(_)),
        }
    }

    /// True of one instruction of each call whose first part is over.
    pub fn begins(self, one: &Executed) -> bool {
        match self {
            Wait::Released => one.kind == Kind::Unlock,
            Wait::Arrived => one.kind == Kind::Call,
            Wait::Compared => one.kind == Kind::Call && !one.within,
        }
    }
}

/// Operations by their places.
pub(super) struct Names<'a>(pub &'a [(Loc, Nodes)]);

impl Names<'_> {
    /// The nodes of the unit of a place, and the place there.
    pub fn unit(&self, loc: Loc) -> Option<(usize, &Nodes, u32)> {
        if loc == Loc::NONE {
            return None;
        }
        let behind = self.0.partition_point(|(start, _)| *start <= loc);
        let index = behind.checked_sub(1)?;
        let (start, nodes) = &self.0[index];
        Some((index, nodes, loc.0 - start.0))
    }

    /// Name of the function that is called there.
    pub fn callee(&self, loc: Loc) -> Option<&str> {
        let (_, nodes, at) = self.unit(loc)?;
        let mut there = nodes.beginning_at(at);
        there.find_map(|node| match &node.form {
            Form::Call(name, ..) => name.as_deref(),
            _ => None,
        })
    }

    /// Way of the function that is called there to begin to wait; `None` if it does not.
    pub fn waiting(&self, loc: Loc) -> Option<Wait> {
        let name = self.callee(loc)?;
        let found = WAITING.iter().find(|(known, _)| *known == name);
        found.map(|(_, wait)| *wait)
    }

    /// The expression from the one place to the other.
    fn expression(&self, from: Loc, to: Loc) -> Option<&Form> {
        let (_, nodes, at) = self.unit(from)?;
        let node = nodes.expression((at, at + to.0.saturating_sub(from.0)));
        node.map(|node| &node.form)
    }

    /// True if what stands from the one place to the other is an expression that reads or writes by itself: no call.
    pub fn is_access(&self, from: Loc, to: Loc) -> bool {
        let form = self.expression(from, to);
        form.is_some_and(|form| !matches!(form, Form::Call(..)))
    }

    /// True if it is an assignment without an operator.
    pub fn is_assignment(&self, from: Loc, to: Loc) -> bool {
        matches!(self.expression(from, to), Some(Form::Assign(..)))
    }
}
