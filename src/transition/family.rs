//! Families: threads that main creates at one place of a loop, as many as it likes, of which a few are told apart.
//!
//! One automaton is explored for all members of a family. It is beside itself: an access of shared memory conflicts with the
//! same access by another member. What is known of its variables holds however many members there are, because passes end
//! when no edge finds anything new, whoever takes it how often. Afterwards the automaton is copied, once for every member
//! that is told apart, with registers and own objects of its own. Main creates one of these that has not begun, or a member
//! that is not seen.
//!
//! Any number: what is shown of all states of so many members, of each member alone if there are two, of each pair if there are
//! three, and is kept by every step, holds for any number of them: a step of one member changes shared memory and its own
//! state, so whether a pair of others keeps what is shown of it depends on these three alone (Hoenicke, Majumdar and
//! Podelski, "Thread modularity at many levels", POPL 2017). Hence what members keep for themselves must stay with them:
//! an address of a local variable of a member, or of what it has allocated, that others may come to know is refused. Their handles are
//! numbers that say no more than that a member is meant; a join of one may always go on.

use super::key::{Key, Owner};
use crate::base::sorted::SortedSet;
use crate::event::ThreadId;
use crate::ir::address::Slot;
use crate::ir::{BlockId, FuncId};

/// Equal threads of any number.
#[derive(Clone, Debug)]
pub struct Family {
    /// Members that are told apart.
    pub members: Vec<ThreadId>,
    /// Own objects of each member, in one order.
    pub(super) slots: Vec<Vec<Slot>>,
}

impl Family {
    /// Member: the number among those told apart that a variable belongs to.
    pub fn member(&self, key: &Key) -> Option<usize> {
        match key.owner() {
            Owner::Thread(thread) => self.of_thread(ThreadId(thread)),
            Owner::Slot(slot) => self.slots.iter().position(|own| own.contains(&slot)),
        }
    }

    /// Member: the number of a thread among those told apart.
    pub fn of_thread(&self, thread: ThreadId) -> Option<usize> {
        self.members.iter().position(|member| *member == thread)
    }

    /// The variable of another member that corresponds to a variable; the variable itself if it belongs to no member.
    pub fn renamed(&self, key: &Key, to: usize) -> Key {
        let mut key = key.clone();
        match key.owner() {
            Owner::Thread(thread) => {
                if self.of_thread(ThreadId(thread)).is_some() {
                    key.set_owner(Owner::Thread(self.members[to].0));
                }
            }
            Owner::Slot(slot) => {
                let mut own = self.slots.iter();
                if let Some(at) = own.find_map(|own| own.iter().position(|s| *s == slot)) {
                    key.set_owner(Owner::Slot(self.slots[to][at]));
                }
            }
        }
        key
    }
}

/// Loops that create threads without number.
#[derive(Clone, Default, Debug)]
pub(super) struct Families {
    pub heads: SortedSet<(FuncId, BlockId)>,
    /// Some of them were not known when exploration began.
    pub is_news: bool,
}
