//! Ends of blocks: conditions that are tested one after the other, and where control goes then.

use super::Domain;
use super::operand::operand;
use crate::ir::{BlockId, Terminator};
use crate::term::TermId;

/// Place where control goes from the end of a block, unless a test before has led elsewhere.
pub enum Exit<V> {
    /// Another block.
    Block(BlockId),
    /// Back to the caller; the end of the thread, if there is none.
    Return(Option<V>),
    /// The end of the thread, with its result.
    Thread(V),
    /// Nowhere: the whole program ends.
    Program,
}

/// Evaluates the end of a block. `branch` is told each condition that is tested, in order, and the block that control goes to
/// where it holds (and none before it did).
pub fn leave<D: Domain>(
    domain: &mut D,
    state: &mut D::State,
    end: &Terminator,
    mut branch: impl FnMut(&mut D, &mut D::State, TermId, BlockId),
) -> Option<Exit<D::Value>> {
    Some(match end {
        Terminator::Jump(next) => {
            domain.advance(state);
            Exit::Block(*next)
        }
        Terminator::Branch { cond, then, other } => {
            let cond = operand(domain, state, *cond);
            domain.advance(state);
            branch(domain, state, cond, *then);
            Exit::Block(*other)
        }
        Terminator::Switch {
            value,
            cases,
            default,
        } => {
            let value = domain.selector(state, *value, cases)?;
            let bits = domain.terms().bits(value);
            domain.advance(state);
            for (case, next) in cases {
                let case = domain.terms().constant(*case, bits);
                let same = domain.terms().eq(value, case);
                branch(domain, state, same, *next);
            }
            Exit::Block(*default)
        }
        Terminator::Return(value) => Exit::Return(value.map(|value| domain.value(state, value))),
        Terminator::ThreadExit(value) => Exit::Thread(domain.value(state, *value)),
        Terminator::Stop => Exit::Program,
    })
}
