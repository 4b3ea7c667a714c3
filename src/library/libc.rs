//! The C library (C11 7) and the system calls of POSIX that concurrent programs use.

use super::pthread::{EINVAL, nothing, store_unless_null, succeed, unsupported};
use super::site::{Meaning, Site, constant};
use crate::ir::ty::{Type, TypeId, Types};
use crate::ir::{
    ALLOCATION_ALIGN_BYTES, AllocKind, BinOp, InstrKind, NondetSource, Operand, Rvalue,
};

/// The error of a lack of memory.
const ENOMEM: u128 = 12;

/// The functions of this family.
pub(super) fn meaning(name: &str) -> Option<Meaning> {
    Some(match name {
        "malloc" | "valloc" => |site| allocate(site, 0),
        "memalign" | "aligned_alloc" => aligned_alloc,
        "ioctl" => ioctl,
        "calloc" => calloc,
        "posix_memalign" => posix_memalign,
        "__selvedge_object_size" => object_size,
        "__selvedge_new_object" => new_for_old,
        "free" | "cfree" => release,

        // Output is not observed; the result is any value: the number of characters, or an error.
        "puts" | "fputs" | "putchar" | "putc" | "fputc" | "fflush" | "perror" | "fclose"
        | "setvbuf" | "setbuf" | "vsyslog" | "feof" | "ferror" | "fileno" | "ungetc" | "fseek"
        | "ftell" | "fopen" | "fdopen" | "freopen" | "tmpfile" | "popen" | "pclose" | "open"
        | "close" | "creat" | "lseek" | "unlink" | "remove" | "rename" | "access" | "mkdir"
        | "rmdir" | "chdir" | "fsync" | "ftruncate" | "openlog" | "closelog"
        | "putchar_unlocked" | "putc_unlocked" | "getuid" | "geteuid" | "getgid" | "getegid" => any,
        "sysconf"
        | "clock"
        | "isatty"
        | "sched_getcpu"
        | "sched_get_priority_max"
        | "sched_get_priority_min" => any,
        "srand" | "srandom" | "srand48" | "rewind" | "clearerr" | "flockfile" | "funlockfile" => {
            nothing
        }
        "time" => time,
        "sched_yield" | "sleep" | "usleep" | "nanosleep" | "clock_nanosleep" => succeed,
        // They return once as called; that they return again is the business of what jumps.
        "setjmp" | "_setjmp" | "__sigsetjmp" | "__sigsetjmp_cancel" | "sigsetjmp" => succeed,
        "fork"
        | "forkpty"
        | "daemon"
        | "longjmp"
        | "_longjmp"
        | "siglongjmp"
        | "__pthread_unwind_next"
        | "vfork"
        | "clone"
        | "wait"
        | "waitpid"
        | "execl"
        | "execlp"
        | "execle"
        | "execv"
        | "execvp"
        | "execve"
        | "system"
        | "dlopen"
        | "dlsym"
        | "dlclose"
        | "mmap"
        | "munmap"
        | "brk"
        | "sbrk"
        | "getopt"
        | "getopt_long"
        | "getline"
        | "asprintf"
        | "vasprintf"
        | "at_quick_exit"
        | "on_exit" => unsupported,
        _ => return None,
    })
}

/// The result is free.
fn any(site: &mut Site) -> Result<(), String> {
    if let Some(dst) = site.dst() {
        site.emit(InstrKind::Nondet {
            dst,
            source: NondetSource::External,
        });
    }
    Ok(())
}

/// A new object whose size in bytes is argument `size`. An object of `alloca` lives as long as the program: that
/// it ends with the function is not checked.
fn allocate(site: &mut Site, size: usize) -> Result<(), String> {
    let bits = site.pointer_bits();
    let size_bytes = site.arg_as(size, bits)?;
    let object = new_object(site, size_bytes, None, AllocKind::Heap);
    site.result(object);
    Ok(())
}

/// A new object, aligned as `malloc` aligns and as it is asked for; where allocations may fail, it may be the null pointer.
fn new_object(
    site: &mut Site,
    size_bytes: Operand,
    align_bytes: Option<Operand>,
    kind: AllocKind,
) -> Operand {
    let bits = site.pointer_bits();
    if !site.may_fail() {
        return certain_object(site, size_bytes, align_bytes, kind);
    }
    let succeeds = site.reg(1);
    site.emit(InstrKind::Nondet {
        dst: succeeds,
        source: NondetSource::External,
    });
    let found = site.reg(bits);
    let set = |site: &mut Site, value| {
        let value = Rvalue::Use(value);
        site.emit(InstrKind::Assign { dst: found, value });
    };
    set(site, constant(0, bits));
    site.when(Operand::Reg(succeeds), |site| {
        let object = certain_object(site, size_bytes, align_bytes, kind);
        set(site, object);
    });
    Operand::Reg(found)
}

fn certain_object(
    site: &mut Site,
    size_bytes: Operand,
    align_bytes: Option<Operand>,
    kind: AllocKind,
) -> Operand {
    let bits = site.pointer_bits();
    let dst = site.reg(bits);
    let least = constant(ALLOCATION_ALIGN_BYTES, bits);
    let align_bytes = match align_bytes {
        None => least,
        Some(Operand::Const { value, .. }) => constant(value.max(ALLOCATION_ALIGN_BYTES), bits),
        Some(asked) => {
            let more = site.binary(BinOp::ULt, least, asked);
            site.select(more, asked, least)
        }
    };
    site.emit(InstrKind::Alloc {
        dst,
        size_bytes,
        align_bytes,
        kind,
    });
    Operand::Reg(dst)
}

fn calloc(site: &mut Site) -> Result<(), String> {
    let bits = site.pointer_bits();
    let (count, size) = (site.arg_as(0, bits)?, site.arg_as(1, bits)?);
    let size_bytes = match (count, size) {
        (Operand::Const { value: a, .. }, Operand::Const { value: b, .. }) => {
            constant(a.wrapping_mul(b), bits)
        }
        _ => site.binary(BinOp::Mul, count, size),
    };
    let object = new_object(site, size_bytes, None, AllocKind::HeapZeroed);
    site.result(object);
    Ok(())
}

/// An alignment that is no power of two gives the null pointer.
fn aligned_alloc(site: &mut Site) -> Result<(), String> {
    let bits = site.pointer_bits();
    let (align_bytes, size_bytes) = (site.arg_as(0, bits)?, site.arg_as(1, bits)?);
    let allocated =
        |site: &mut Site| new_object(site, size_bytes, Some(align_bytes), AllocKind::Heap);
    match is_alignment(site, 0, 1)? {
        Operand::Const { value: 0, .. } => site.result(constant(0, bits)),
        Operand::Const { .. } => {
            let object = allocated(site);
            site.result(object);
        }
        valid => {
            let found = site.reg(bits);
            let set = |site: &mut Site, value| {
                let value = Rvalue::Use(value);
                site.emit(InstrKind::Assign { dst: found, value });
            };
            set(site, constant(0, bits));
            site.when(valid, |site| {
                let object = allocated(site);
                set(site, object);
            });
            site.result(Operand::Reg(found));
        }
    }
    Ok(())
}

/// An alignment that is no power of two, or no multiple of a pointer's size, is an error; nothing is stored then.
fn posix_memalign(site: &mut Site) -> Result<(), String> {
    let bits = site.pointer_bits();
    let (align_bytes, size_bytes) = (site.arg_as(1, bits)?, site.arg_as(2, bits)?);
    let place = site.arg(0)?;
    let status = site.may_fail().then(|| site.reg(32));
    let allocated = |site: &mut Site| {
        let object = new_object(site, size_bytes, Some(align_bytes), AllocKind::Heap);
        site.store(place, object);
        if let Some(status) = status {
            let failed = site.binary(BinOp::Eq, object, constant(0, bits));
            let value = site.select(failed, constant(ENOMEM, 32), constant(0, 32));
            site.emit(InstrKind::Assign {
                dst: status,
                value: Rvalue::Use(value),
            });
        }
    };
    let done = status.map_or(constant(0, 32), Operand::Reg);
    match is_alignment(site, 1, u128::from(bits / 8))? {
        Operand::Const { value: 0, .. } => site.result(constant(EINVAL, 32)),
        Operand::Const { .. } => {
            allocated(site);
            site.result(done);
        }
        valid => {
            site.when(valid, allocated);
            let status = site.select(valid, done, constant(EINVAL, 32));
            site.result(status);
        }
    }
    Ok(())
}

/// Validity of an alignment: one bit, 1 if an argument is a power of two of at least `least`.
fn is_alignment(site: &mut Site, index: usize, least: u128) -> Result<Operand, String> {
    let bits = site.pointer_bits();
    if let Some(value) = site.constant(index) {
        let valid = value.is_power_of_two() && value >= least;
        return Ok(constant(u128::from(valid), 1));
    }
    let value = site.arg_as(index, bits)?;
    let below = site.binary(BinOp::Sub, value, constant(1, bits));
    let rest = site.binary(BinOp::And, value, below);
    let power = site.binary(BinOp::Eq, rest, constant(0, bits));
    let enough = site.binary(BinOp::ULe, constant(least, bits), value);
    Ok(site.binary(BinOp::And, power, enough))
}

/// Request to a device: the result is any value, and the object of the argument, if it is one without pointers, may get
/// any content.
fn ioctl(site: &mut Site) -> Result<(), String> {
    const MOST: usize = 64;
    any(site)?;
    let Ok(place) = site.arg(2) else {
        return Ok(());
    };
    if site.is_no_memory(place) || site.bits(place) < site.pointer_bits() {
        return Ok(());
    }
    let scalars = site
        .pointee(2)
        .filter(|ty| is_plain(site.types(), *ty))
        .and_then(|ty| site.scalars(ty, MOST));
    let Some((scalars, _)) = scalars else {
        return Err("`ioctl` on memory of which the size is not known".to_string());
    };
    let changes = free(site, 1);
    site.when(changes, |site| {
        for (at, size) in scalars {
            let target = match at {
                0 => place,
                at => site.offset(place, at as u32),
            };
            let value = free(site, (size * 8) as u16);
            site.store(target, value);
        }
    });
    Ok(())
}

/// Types whose objects are no single characters, which may be a part of a longer text, and have no pointers.
fn is_plain(types: &Types, ty: TypeId) -> bool {
    match &types[ty] {
        Type::Int { bits, .. } => *bits > 8,
        Type::Bool | Type::Float(_) => true,
        Type::Void | Type::Pointer { .. } => false,
        Type::Array { element, .. } => match &types[*element] {
            Type::Int { .. } => true,
            _ => is_plain(types, *element),
        },
        Type::Record { members, .. } => members.iter().all(|member| match &types[member.ty] {
            Type::Int { .. } => true,
            _ => is_plain(types, member.ty),
        }),
    }
}

fn free(site: &mut Site, bits: u16) -> Operand {
    let dst = site.reg(bits);
    site.emit(InstrKind::Nondet {
        dst,
        source: NondetSource::External,
    });
    Operand::Reg(dst)
}

/// Size of a heap object in bytes, which models ask for.
fn object_size(site: &mut Site) -> Result<(), String> {
    let bits = site.pointer_bits();
    let (addr, dst) = (site.arg(0)?, site.reg(bits));
    site.emit(InstrKind::ObjectSize { dst, addr });
    site.result(Operand::Reg(dst));
    Ok(())
}

/// New object for `realloc`, which may stand where the old one is.
fn new_for_old(site: &mut Site) -> Result<(), String> {
    let bits = site.pointer_bits();
    let (old, size_bytes) = (site.arg(0)?, site.arg_as(1, bits)?);
    let object = new_object(site, size_bytes, None, AllocKind::Realloc(old));
    site.result(object);
    Ok(())
}

fn release(site: &mut Site) -> Result<(), String> {
    let addr = site.arg(0)?;
    match addr {
        Operand::Const { value: 0, .. } => {}
        _ => {
            // free(NULL) does nothing.
            let cond = site.non_zero(addr);
            site.when(cond, |site| site.emit(InstrKind::Free { addr }));
        }
    }
    Ok(())
}

/// Any time, which is also stored if the program asks for it.
fn time(site: &mut Site) -> Result<(), String> {
    let bits = site.pointer_bits();
    let now = site.reg(bits);
    site.emit(InstrKind::Nondet {
        dst: now,
        source: NondetSource::External,
    });
    let place = site.arg(0)?;
    store_unless_null(site, place, Operand::Reg(now));
    site.result(Operand::Reg(now));
    Ok(())
}
