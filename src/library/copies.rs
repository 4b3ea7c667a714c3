//! Copies of synchronisation objects: only the object itself may be used for synchronisation (IEEE 1003.1, 2.9.9), so that
//! using a copy is undefined, until it is initialised. Copying alone is not.
//!
//! Lowering says where structures are copied ([`InstrKind::Copied`]), this file where functions copy bytes, and where
//! synchronisation objects are used and initialised. All that is left out of programs that cannot copy such an object: by the
//! types of what they copy, compared with the types of what they synchronise with.

use rustc_hash::FxBuildHasher;

use super::misuse;
use super::name::plain_name;
use super::site::{Site, constant};
use crate::ir::ty::{Member, Type, TypeId, Types};
use crate::ir::{BinOp, Callee, ExternCall, InstrKind, Operand, Program};
use hashbrown::HashSet;

/// Search for copies of synchronisation objects in a program.
pub(super) struct Copies {
    /// Set if the program may copy one.
    pub any: bool,
    objects: Objects,
    /// Objects are destroyed, and may be set to their initial value afterwards, which the check of misuse wants to know.
    revives: bool,
}

/// The types of the objects that a program synchronises with.
#[derive(Default)]
struct Objects {
    types: HashSet<Type, FxBuildHasher>,
    /// Some are known by an address alone.
    unknown: bool,
}

impl Copies {
    /// Looks through a program, and takes out copies of what is no synchronisation object.
    pub(super) fn of(program: &mut Program, revives: bool) -> Copies {
        let mut objects = Objects::default();
        for call in calls(program) {
            for &index in used(plain_name(&call.name)) {
                match call.pointees.get(index).copied().flatten() {
                    Some(ty) if !is_untyped(&program.types[ty]) => {
                        objects.types.insert(program.types[ty].clone());
                    }
                    _ => objects.unknown = true,
                }
            }
        }
        let types = &program.types;
        let mut any = calls(program).any(|call| objects.copied_by(types, call));
        for block in program
            .functions
            .iter_mut()
            .flat_map(|f| f.blocks.iter_mut())
        {
            block.instrs.retain(|instr| match instr.kind {
                InstrKind::Copied { ty, fresh, .. } => {
                    let matters = ty.is_none_or(|ty| objects.are_in(types, ty));
                    any |= matters && !fresh;
                    matters
                }
                _ => true,
            });
        }
        if !any {
            for block in program
                .functions
                .iter_mut()
                .flat_map(|f| f.blocks.iter_mut())
            {
                block.instrs.retain(|instr| match instr.kind {
                    InstrKind::Copied { fresh, .. } => fresh && revives,
                    _ => true,
                });
            }
        }
        Copies {
            any,
            objects,
            revives,
        }
    }

    /// Initial values: true if an instruction gives one to what may be a synchronisation object.
    pub(super) fn is_revival(&self, kind: &InstrKind) -> bool {
        self.revives && matches!(kind, InstrKind::Copied { fresh: true, .. })
    }

    /// Instructions behind one that is such a revival.
    pub(super) fn revive(&self, site: &mut Site, kind: &InstrKind) {
        if let InstrKind::Copied {
            addr, ty: Some(ty), ..
        } = *kind
        {
            self.revive_in(site, addr, ty);
        }
    }

    /// Synchronisation objects within an object of this type have their initial values.
    fn revive_in(&self, site: &mut Site, addr: Operand, ty: TypeId) {
        for offset_bytes in self.objects.places(site.types(), ty) {
            let place = match offset_bytes {
                0 => addr,
                offset => site.offset(addr, offset),
            };
            misuse::revived(site, place);
        }
    }

    /// Instructions before a call: the objects that it uses are no copies; what it initialises is none any more.
    pub(super) fn before(&self, site: &mut Site, name: &str) {
        if !self.any {
            return;
        }
        let fresh = initialises(name);
        for &index in used(name) {
            let Ok(addr) = site.arg(index) else { continue };
            site.emit(if fresh {
                InstrKind::Copied {
                    addr,
                    size_bytes: constant(1, site.pointer_bits()),
                    ty: None,
                    fresh,
                }
            } else {
                InstrKind::SyncUse { addr }
            });
        }
    }

    /// Instructions behind a call that writes many bytes: there is a copy now, or none any more.
    pub(super) fn behind(&self, site: &mut Site, call: &ExternCall) {
        let name = plain_name(&call.name);
        let bits = site.pointer_bits();
        if self.revives
            && matches!(name, "memset" | "bzero" | "explicit_bzero")
            && let (Some(ty), Ok(addr)) = (site.pointee(0), site.arg(0))
        {
            self.revive_in(site, addr, ty);
        }
        let place = match name {
            "memset" | "bzero" | "explicit_bzero" => site.arg(0).ok(),
            _ if self.objects.copied_by(site.types(), call) => {
                if moves(name) {
                    site.dst().map(Operand::Reg)
                } else {
                    site.arg(0).ok()
                }
            }
            _ => None,
        };
        let (true, Some(addr)) = (self.any, place) else {
            return;
        };
        let size_bytes = match name {
            "reallocarray" => site
                .arg_as(1, bits)
                .and_then(|count| Ok(site.binary(BinOp::Mul, count, site.arg(2)?))),
            "realloc" | "bzero" | "explicit_bzero" => site.arg_as(1, bits),
            _ => site.arg_as(2, bits),
        };
        if let Ok(size_bytes) = size_bytes {
            site.emit(InstrKind::Copied {
                addr,
                size_bytes,
                ty: None,
                fresh: !copies(name),
            });
        }
    }
}

impl Objects {
    /// Copies of synchronisation objects: true if a call may copy one.
    fn copied_by(&self, types: &Types, call: &ExternCall) -> bool {
        let name = plain_name(&call.name);
        if !copies(name) || (self.types.is_empty() && !self.unknown) {
            return false;
        }
        let ends = if moves(name) { 1 } else { 2 };
        let typed = |index: usize| {
            let ty = call.pointees.get(index).copied().flatten();
            ty.filter(|ty| !is_untyped(&types[*ty]))
        };
        let known: Vec<TypeId> = (0..ends).filter_map(typed).collect();
        known.is_empty() || known.into_iter().any(|ty| self.are_in(types, ty))
    }

    /// Offsets in bytes of those that are records in an object of this type, arrays aside.
    fn places(&self, types: &Types, ty: TypeId) -> Vec<u32> {
        let Type::Record { members, .. } = &types[ty] else {
            return Vec::new();
        };
        if self.types.contains(&types[ty]) {
            return vec![0];
        }
        let within = |member: &Member| {
            let start = u32::try_from(member.offset_bytes).unwrap_or(u32::MAX);
            let inner = self.places(types, member.ty).into_iter();
            inner.map(move |at| start.saturating_add(at))
        };
        members.iter().flat_map(within).collect()
    }

    /// Types that contain one: true if a synchronisation object may be a part of an object of this type.
    fn are_in(&self, types: &Types, ty: TypeId) -> bool {
        if self.unknown || self.types.contains(&types[ty]) {
            return true;
        }
        match &types[ty] {
            Type::Array { element, .. } => self.are_in(types, *element),
            Type::Record { members, .. } => members.iter().any(|m| self.are_in(types, m.ty)),
            _ => false,
        }
    }
}

fn calls(program: &Program) -> impl Iterator<Item = &ExternCall> {
    let blocks = program.functions.iter().flat_map(|f| f.blocks.iter());
    let instrs = blocks.flat_map(|block| &block.instrs);
    instrs.filter_map(|instr| match &instr.kind {
        InstrKind::Call {
            callee: Callee::Extern(call),
            ..
        } => Some(call),
        _ => None,
    })
}

/// Untyped pointees: a pointer to `void` or to a character says nothing about what is there.
fn is_untyped(ty: &Type) -> bool {
    matches!(ty, Type::Void | Type::Int { bits: 8, .. })
}

/// Functions that copy any bytes.
fn copies(name: &str) -> bool {
    moves(name) || matches!(name, "memcpy" | "memmove" | "mempcpy")
}

/// Functions whose result is where the copy is.
fn moves(name: &str) -> bool {
    matches!(name, "realloc" | "reallocarray")
}

fn initialises(name: &str) -> bool {
    name.ends_with("_init")
}

/// Indices of the arguments that are addresses of synchronisation objects.
fn used(name: &str) -> &'static [usize] {
    const FAMILIES: [&str; 8] = [
        "pthread_mutex_",
        "pthread_rwlock_",
        "pthread_spin_",
        "pthread_barrier_",
        "pthread_cond_",
        "sem_",
        "mtx_",
        "cnd_",
    ];
    match name {
        "sem_open" | "sem_unlink" | "sem_close" => &[],
        "pthread_once" | "call_once" => &[0],
        "pthread_cond_wait"
        | "pthread_cond_timedwait"
        | "pthread_cond_clockwait"
        | "cnd_wait"
        | "cnd_timedwait" => &[0, 1],
        _ if FAMILIES.iter().any(|family| name.starts_with(family)) => &[0],
        _ => &[],
    }
}
