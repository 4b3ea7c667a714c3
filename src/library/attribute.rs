//! Attributes of threads (IEEE 1003.1). They change no execution of this model, so they are only kept where a program
//! asks for them again: as words in the object, which our header and that of the GNU C library make large enough.

use super::Meaning;
use super::pthread::succeed;
use super::site::{Site, constant};
use crate::ir::{Callee, InstrKind, Operand, Program};

/// Number of the attribute's word, and its value at first.
#[derive(Clone, Copy)]
struct Word {
    index: u32,
    /// A size or an address, otherwise an `int`.
    wide: bool,
    first: u128,
}

const fn word(index: u32, first: u128) -> Word {
    Word {
        index,
        wide: false,
        first,
    }
}

const DETACHED: Word = word(0, 0);
const SCOPE: Word = word(1, 0);
const POLICY: Word = word(2, 0);
const INHERIT: Word = word(3, 0);
const PRIORITY: Word = word(4, 0);
const STACK_SIZE: Word = Word {
    index: 3,
    wide: true,
    first: 8 << 20,
};
const GUARD_SIZE: Word = Word {
    index: 4,
    wide: true,
    first: 4096,
};

const ALL: [Word; 7] = [
    DETACHED, SCOPE, POLICY, INHERIT, PRIORITY, STACK_SIZE, GUARD_SIZE,
];

/// The functions of this family that keep and tell.
pub(super) fn meaning(name: &str) -> Option<Meaning> {
    Some(match name {
        "pthread_attr_init" => init,
        "pthread_attr_setdetachstate" => |site| set(site, DETACHED),
        "pthread_attr_getdetachstate" => |site| get(site, DETACHED),
        "pthread_attr_setscope" => |site| set(site, SCOPE),
        "pthread_attr_getscope" => |site| get(site, SCOPE),
        "pthread_attr_setschedpolicy" => |site| set(site, POLICY),
        "pthread_attr_getschedpolicy" => |site| get(site, POLICY),
        "pthread_attr_setinheritsched" => |site| set(site, INHERIT),
        "pthread_attr_getinheritsched" => |site| get(site, INHERIT),
        "pthread_attr_setstacksize" => |site| set(site, STACK_SIZE),
        "pthread_attr_getstacksize" => |site| get(site, STACK_SIZE),
        "pthread_attr_setguardsize" => |site| set(site, GUARD_SIZE),
        "pthread_attr_getguardsize" => |site| get(site, GUARD_SIZE),
        // The parameter is a structure that starts with the priority.
        "pthread_attr_setschedparam" => set_priority,
        "pthread_attr_getschedparam" => |site| get(site, PRIORITY),
        _ => return None,
    })
}

/// Whether a program asks for an attribute.
pub(super) fn are_asked(program: &Program) -> bool {
    let blocks = program.functions.iter().flat_map(|f| f.blocks.iter());
    blocks.flat_map(|block| &block.instrs).any(|instr| {
        matches!(&instr.kind, InstrKind::Call { callee: Callee::Extern(call), .. }
            if call.name.starts_with("pthread_attr_get"))
    })
}

/// Address and width in bits of an attribute's word.
fn place(site: &mut Site, word: Word) -> Result<(Operand, u16), String> {
    let bits = if word.wide { site.pointer_bits() } else { 32 };
    let (addr, at) = (site.arg(0)?, word.index * u32::from(bits / 8));
    // Five words and their padding come before the sizes on i386.
    let at = if word.wide && bits == 32 { at + 8 } else { at };
    Ok((if at == 0 { addr } else { site.offset(addr, at) }, bits))
}

fn init(site: &mut Site) -> Result<(), String> {
    if site.has_attributes() {
        for word in ALL {
            let (addr, bits) = place(site, word)?;
            site.store(addr, constant(word.first, bits));
        }
    }
    succeed(site)
}

fn set(site: &mut Site, word: Word) -> Result<(), String> {
    if site.has_attributes() {
        let (addr, bits) = place(site, word)?;
        let value = site.arg_as(1, bits)?;
        site.store(addr, value);
    }
    succeed(site)
}

fn set_priority(site: &mut Site) -> Result<(), String> {
    if site.has_attributes() {
        let (addr, bits) = place(site, PRIORITY)?;
        let from = site.arg(1)?;
        let value = site.load(from, bits);
        site.store(addr, value);
    }
    succeed(site)
}

fn get(site: &mut Site, word: Word) -> Result<(), String> {
    let (addr, bits) = place(site, word)?;
    let value = site.load(addr, bits);
    let to = site.arg(1)?;
    site.store(to, value);
    succeed(site)
}
