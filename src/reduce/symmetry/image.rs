//! Images of terms under an exchange of two threads: what each term becomes, if the program has such a term. Nothing is built: what a
//! program that is the same under the exchange has to contain, it contains.

use super::swap::{Owners, Swap, exchanged, is_alive};
use crate::event::EventKind;
use crate::reduce::faults::{self, Fault};
use crate::term::{Node, Op, TermId};

/// Image of a term.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Image {
    /// Itself.
    Same,
    /// This term.
    Term(TermId),
    /// A variable that is read from a word of owners: this one, and the constants that are exchanged in it.
    Owner(TermId, Owners),
    /// No term that there is.
    None,
}

/// Image of every term.
pub(super) struct Images {
    images: Vec<Image>,
}

impl Images {
    /// Renames all terms; `through` stays as it is, the condition that the joins of both threads have come through.
    pub fn of(swap: &Swap, through: Option<TermId>) -> Option<Images> {
        let terms = &swap.program.terms;
        let mut images = vec![Image::Same; terms.len()];
        // Terms before the first variable that changes stay as they are.
        let mut first = terms.len();
        for (_, event) in swap.program.events.iter_ids() {
            let EventKind::Read { value, targets, .. } = &event.kind else {
                continue;
            };
            if !is_alive(swap.program, event) {
                continue;
            }
            let Some(owners) = swap.owners_of(targets)? else {
                continue;
            };
            terms.var_of(*value)?;
            let fact = terms.fact(*value);
            if fact.admits(owners.0) != fact.admits(owners.1) {
                return None;
            }
            let becomes = swap.variables.get(value).copied().unwrap_or(*value);
            images[value.0 as usize] = Image::Owner(becomes, owners);
            first = first.min(value.0 as usize);
        }
        for (&a, &b) in &swap.variables {
            let image = &mut images[a.0 as usize];
            if *image == Image::Same && a != b {
                *image = Image::Term(b);
            }
            first = first.min(a.0 as usize);
        }
        let mut images = Images { images };
        for number in first..terms.len() {
            let t = TermId(number as u32);
            if images.of_term(t) == Image::Same && through != Some(t) {
                images.images[number] = images.image_of(swap, t);
            }
        }
        Some(images)
    }

    fn of_term(&self, t: TermId) -> Image {
        self.images[t.0 as usize]
    }

    /// Image of a term, from those of its operands.
    fn image_of(&self, swap: &Swap, t: TermId) -> Image {
        let terms = &swap.program.terms;
        let mut operands: [TermId; 3] = [t; 3];
        let mut changed = false;
        let mut count = 0;
        for child in terms.children(t) {
            operands[count] = match self.of_term(child) {
                Image::Same => child,
                Image::Term(image) => {
                    changed = true;
                    image
                }
                Image::Owner(image, owners) => {
                    return image_of_owner(swap, t, child, (image, owners));
                }
                Image::None => return Image::None,
            };
            count += 1;
        }
        if !changed {
            return Image::Same;
        }
        let mut found = terms.like(t, &operands[..count]);
        if found.is_none() && count == 2 && is_commutative(terms.op(t)) {
            found = terms.like(t, &[operands[1], operands[0]]);
        }
        found_image(t, found)
    }

    /// True if a term becomes another one.
    pub fn becomes(&self, a: TermId, b: TermId) -> bool {
        self.image(a) == Some(b)
    }

    /// Image of a term; `None` if there is no such term, or if it is read from a word of owners.
    pub fn image(&self, t: TermId) -> Option<TermId> {
        match self.of_term(t) {
            Image::Same => Some(t),
            Image::Term(image) => Some(image),
            Image::Owner(..) | Image::None => None,
        }
    }

    /// True if a read variable becomes another one, from whatever cell.
    pub fn read_becomes(&self, a: TermId, b: TermId) -> bool {
        match self.of_term(a) {
            Image::Owner(image, _) => image == b,
            _ => self.becomes(a, b),
        }
    }
}

/// Image of a comparison of a variable from a word of owners with a constant; nothing else may be built on one.
fn image_of_owner(
    swap: &Swap,
    t: TermId,
    variable: TermId,
    (becomes, owners): (TermId, Owners),
) -> Image {
    let terms = &swap.program.terms;
    if faults::on(Fault::OwnersTell) {
        return Image::Same;
    }
    let Node::Binary(Op::Eq, a, b) = terms.node(t) else {
        return Image::None;
    };
    let constant = if a == variable { b } else { a };
    let Some(value) = terms.as_constant(constant) else {
        return Image::None;
    };
    let found = terms
        .known_constant(exchanged(owners, value), terms.bits(constant))
        .and_then(|constant| {
            terms
                .like(t, &[becomes, constant])
                .or_else(|| terms.like(t, &[constant, becomes]))
        });
    found_image(t, found)
}

fn found_image(t: TermId, found: Option<TermId>) -> Image {
    match found {
        Some(image) if image == t => Image::Same,
        Some(image) => Image::Term(image),
        None => Image::None,
    }
}

fn is_commutative(op: Op) -> bool {
    matches!(op, Op::And | Op::Xor | Op::Add | Op::Mul | Op::Eq)
}
