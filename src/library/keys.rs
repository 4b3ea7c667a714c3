//! Thread-specific values of POSIX and C11: one array of pointers for each thread, indexed by the key.

use super::Meaning;
use super::globals::{Object, Shape};
use super::pthread::succeed;
use super::site::{Site, constant};
use crate::ir::{BinOp, InstrKind, Operand, Rvalue};

/// Keys that a program may create; the next one is unsupported.
const KEYS: u64 = 16;

/// The number of keys that were created.
const CREATED: Object = Object {
    name: "keys created",
    shape: Shape::Word,
    thread_local: false,
};

/// The values of a thread, null at first.
const VALUES: Object = Object {
    name: "values of keys",
    shape: Shape::Pointers(KEYS),
    thread_local: true,
};

/// The functions of this family.
pub(super) fn meaning(name: &str) -> Option<Meaning> {
    Some(match name {
        "pthread_key_create" | "tss_create" => create,
        "pthread_getspecific" | "tss_get" => get,
        "pthread_setspecific" | "tss_set" => set,
        "pthread_key_delete" | "tss_delete" => succeed,
        _ => return None,
    })
}

fn create(site: &mut Site) -> Result<(), String> {
    let place = site.arg(0)?;
    if site.constant(1) != Some(0) {
        return Err("destructors of thread-specific values are not supported".to_string());
    }
    let created = site.object(&CREATED);
    site.emit(InstrKind::AtomicBegin);
    let key = site.load(created, 32);
    let next = site.binary(BinOp::Add, key, constant(1, 32));
    site.store(created, next);
    site.emit(InstrKind::AtomicEnd);
    let too_many = site.binary(BinOp::ULe, constant(u128::from(KEYS), 32), key);
    site.when(too_many, |site| {
        let reason = format!("more than {KEYS} keys of thread-specific values");
        site.emit(InstrKind::Unsupported { reason });
    });
    site.store(place, key);
    succeed(site)
}

/// Address of the running thread's value of a key, which is argument 0.
fn value_of(site: &mut Site) -> Result<Operand, String> {
    let bits = site.pointer_bits();
    let key = site.arg_as(0, bits)?;
    let base = site.object(&VALUES);
    let offset_bytes = site.binary(BinOp::Mul, key, constant(u128::from(bits / 8), bits));
    Ok(site.compute(bits, Rvalue::Offset { base, offset_bytes }))
}

fn get(site: &mut Site) -> Result<(), String> {
    let bits = site.pointer_bits();
    let place = value_of(site)?;
    let value = site.load(place, bits);
    site.result(value);
    Ok(())
}

fn set(site: &mut Site) -> Result<(), String> {
    let bits = site.pointer_bits();
    let value = site.arg_as(1, bits)?;
    let place = value_of(site)?;
    site.store(place, value);
    succeed(site)
}
