//! The C library (C11 7) and the system calls of POSIX that concurrent programs use.

use super::Meaning;
use super::pthread::{nothing, store_unless_null, succeed, unsupported};
use super::site::{Site, constant};
use crate::ir::{ALLOCATION_ALIGN_BYTES, AllocKind, BinOp, InstrKind, NondetSource, Operand};

/// The functions of this family.
pub(super) fn meaning(name: &str) -> Option<Meaning> {
    Some(match name {
        "malloc" | "valloc" | "alloca" => |site| allocate(site, 0),
        "aligned_alloc" | "memalign" => aligned_alloc,
        "calloc" => calloc,
        "posix_memalign" => posix_memalign,
        "__selvedge_object_size" => object_size,
        "free" | "cfree" => free,

        // What is printed is not observed; the result is the number of characters, or an error.
        "puts" | "fputs" | "putchar" | "putc" | "fputc" | "fflush" | "perror" | "fclose"
        | "setvbuf" | "setbuf" | "vsyslog" | "feof" | "ferror" | "fileno" | "ungetc" | "fseek"
        | "ftell" | "fopen" | "fdopen" | "freopen" | "tmpfile" | "popen" | "pclose" | "open"
        | "close" | "creat" | "lseek" | "unlink" | "remove" | "rename" | "access" | "mkdir"
        | "rmdir" | "chdir" | "fsync" | "ftruncate" | "openlog" | "closelog"
        | "putchar_unlocked" | "putc_unlocked" | "getuid" | "geteuid" | "getgid" | "getegid" => any,
        "getpid"
        | "getppid"
        | "sysconf"
        | "clock"
        | "alarm"
        | "getc_unlocked"
        | "getchar_unlocked"
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
        "signal"
        | "sigaction"
        | "raise"
        | "kill"
        | "fork"
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
        | "sigprocmask"
        | "sigwait"
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

fn aligned_alloc(site: &mut Site) -> Result<(), String> {
    let bits = site.pointer_bits();
    let (align_bytes, size_bytes) = (site.arg_as(0, bits)?, site.arg_as(1, bits)?);
    let object = new_object(site, size_bytes, Some(align_bytes), AllocKind::Heap);
    site.result(object);
    Ok(())
}

/// A new object, aligned as `malloc` aligns and as it is asked for.
fn new_object(
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

fn posix_memalign(site: &mut Site) -> Result<(), String> {
    let bits = site.pointer_bits();
    let (align_bytes, size_bytes) = (site.arg_as(1, bits)?, site.arg_as(2, bits)?);
    let place = site.arg(0)?;
    let object = new_object(site, size_bytes, Some(align_bytes), AllocKind::Heap);
    site.store(place, object);
    succeed(site)
}

/// What models ask: the size of a heap object in bytes.
fn object_size(site: &mut Site) -> Result<(), String> {
    let bits = site.pointer_bits();
    let (addr, dst) = (site.arg(0)?, site.reg(bits));
    site.emit(InstrKind::ObjectSize { dst, addr });
    site.result(Operand::Reg(dst));
    Ok(())
}

fn free(site: &mut Site) -> Result<(), String> {
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
