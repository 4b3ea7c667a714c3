//! Comparison of a program with what an exchange of two threads makes of it.

use super::image::Images;
use super::join::Joins;
use super::swap::{Swap, exchanged, is_alive};
use crate::event::{Event, EventKind, Target};
use crate::reduce::faults::{self, Fault};
use crate::term::TermId;
use hashbrown::HashSet;

/// True if the exchange makes the same program of the program.
pub(super) fn is_automorphism(swap: &Swap, joins: &Joins, images: &Images) -> bool {
    let becomes = |a: &Event, b: &Event| event_becomes(swap, images, a, b);
    let mut own = swap.pairs();
    (own.all(|(a, b)| becomes(a, b) && becomes(b, a)) || faults::on(Fault::ThreadsTell))
        && (others_stay(swap, joins, images) || faults::on(Fault::OthersTell))
        && (cells_become(swap, images) || faults::on(Fault::CellsTell))
        && (facts_become(swap, images) || faults::on(Fault::FactsTell))
}

/// True if events of other threads become themselves.
fn others_stay(swap: &Swap, joins: &Joins, images: &Images) -> bool {
    let mut events = swap.program.events.iter_ids();
    events.all(|(id, event)| {
        let is_between = joins.between.contains(&id);
        match &event.kind {
            _ if swap.is_own(event) || !is_alive(swap.program, event) => true,
            // Those of the two threads have been looked at by themselves.
            EventKind::Join { done, .. } if is_between => {
                joins.between.last() == Some(&id) || images.becomes(*done, *done)
            }
            _ if is_between && faults::on(Fault::JoinsApart) => true,
            _ => event_becomes(swap, images, event, event),
        }
    })
}

fn facts_become(swap: &Swap, images: &Images) -> bool {
    let stays = |set: &[TermId]| {
        let all: HashSet<TermId> = set.iter().copied().collect();
        let mut images = set.iter().map(|&t| images.image(t));
        images.all(|image| image.is_some_and(|image| all.contains(&image)))
    };
    stays(&swap.program.facts) && stays(&swap.program.partial)
}

/// True if an event becomes another one of the same kind.
fn event_becomes(swap: &Swap, images: &Images, a: &Event, b: &Event) -> bool {
    use EventKind::{Assert, Create, Cut, End, Fence, Join, Read, Write};
    let becomes = |a: TermId, b: TermId| images.becomes(a, b);
    if !becomes(a.guard, b.guard) || !becomes(a.reached, b.reached) {
        return false;
    }
    match (&a.kind, &b.kind) {
        (
            Read { value, targets, .. },
            Read {
                value: v,
                targets: t,
                ..
            },
        ) => images.read_becomes(*value, *v) && targets_become(swap, images, targets, t),
        (
            Write { value, targets, .. },
            Write {
                value: v,
                targets: t,
                ..
            },
        ) => {
            let constant = |t| swap.program.terms.as_constant(t);
            let value = match swap.owners_of(targets) {
                Some(Some(owners)) => {
                    let becomes = constant(*value).map(|value| exchanged(owners, value));
                    becomes.is_some() && becomes == constant(*v)
                }
                Some(None) => becomes(*value, *v),
                None => false,
            };
            value && targets_become(swap, images, targets, t)
        }
        (
            Join { targets, done },
            Join {
                targets: t,
                done: d,
            },
        ) => {
            let is_own = |target: &(_, _)| target.0 == swap.one || target.0 == swap.other;
            let mut whens = targets.iter().zip(t);
            targets.iter().any(is_own)
                || becomes(*done, *d) && whens.all(|(a, b)| becomes(a.1, b.1))
        }
        (Assert { cond, .. }, Assert { cond: c, .. }) => becomes(*cond, *c),
        (Create { .. }, Create { .. }) | (Cut { .. }, Cut { .. }) => true,
        (Fence, Fence) | (End, End) => true,
        // Nobody has asked what a rest says.
        _ => false,
    }
}

fn targets_become(swap: &Swap, images: &Images, a: &[Target], b: &[Target]) -> bool {
    let becomes =
        |a: &Target, b: &Target| swap.cell(a.cell) == b.cell && images.becomes(a.when, b.when);
    a.len() == b.len()
        && a.iter().all(|a| b.iter().any(|b| becomes(a, b)))
        && b.iter().all(|b| a.iter().any(|a| becomes(a, b)))
}

fn cells_become(swap: &Swap, images: &Images) -> bool {
    let program = swap.program;
    program.cells.iter_ids().all(|(id, a)| {
        let b = &program.cells[swap.cell(id)];
        let init = match swap.owners(id) {
            Some(owners) => {
                let value = program.terms.as_constant(a.init);
                value.is_some_and(|value| exchanged(owners, value) == value)
            }
            None => images.becomes(a.init, b.init),
        };
        let element = match (a.element, b.element) {
            (Some(a), Some(b)) => images.becomes(a, b),
            (None, None) => true,
            _ => false,
        };
        init && element
            && (a.bits, a.offset_bytes, a.sync, a.beside)
                == (b.bits, b.offset_bytes, b.sync, b.beside)
            && program.is_result(id) == program.is_result(swap.cell(id))
    })
}
