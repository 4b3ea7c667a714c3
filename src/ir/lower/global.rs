//! Objects with static storage duration and string literals.

use super::ctype::{CType, IntKind, Kind, Length};
use super::initializer::Init;
use super::linkage::Linkage;
use super::lvalue::{LValue, Place};
use super::{GlobalDraft, Lowerer, Res};
use crate::base::{Diagnostic, IdVec, Loc, WarningKind};
use crate::ir::{Global, GlobalId, InitPart, Operand};
use std::rc::Rc;

impl Lowerer {
    /// The object with linkage of this name, new if there is none; its type is completed by `ty`.
    pub(super) fn linked_global(&mut self, name: &str, ty: CType, at: Loc) -> usize {
        if let Some(index) = self.known_object(name) {
            let draft = &self.globals[index];
            let (linkage, known) = (draft.linkage.clone(), draft.ty.clone());
            let declared = self.declared(&linkage, (&known, &ty), (name, at));
            let draft = &mut self.globals[index];
            draft.linkage.declared = declared;
            if !matches!(ty.kind, Kind::Array(_, Length::Unknown)) {
                draft.ty = ty;
            }
            return index;
        }
        let linkage = Linkage {
            declared: Some((self.unit.number, at)),
            ..self.linkage_of(name)
        };
        let index = self.new_global(name, ty, at);
        self.globals[index].linkage = linkage;
        self.name_object(name, index);
        index
    }

    /// A new object.
    pub(super) fn new_global(&mut self, name: &str, ty: CType, at: Loc) -> usize {
        self.globals.push(GlobalDraft {
            name: name.to_string(),
            ty,
            id: None,
            defined: false,
            linkage: Linkage::default(),
            init: Vec::new(),
            init_bytes: 0,
            thread_local: false,
            read_only: false,
            loc: at,
        });
        self.globals.len() - 1
    }

    /// An object that no declaration names, with its content.
    pub(super) fn anonymous_global(&mut self, name: &str, ty: CType, init: Vec<InitPart>) -> usize {
        let index = self.new_global(name, ty, self.body.loc);
        let draft = &mut self.globals[index];
        draft.defined = true;
        draft.read_only = draft.ty.is_const();
        draft.init = init;
        index
    }

    pub(super) fn global_id(&mut self, index: usize) -> GlobalId {
        if let Some(id) = self.globals[index].id {
            return id;
        }
        let id = self.global_ids.push(index);
        self.globals[index].id = Some(id);
        id
    }

    /// Gives an object its initialiser.
    pub(super) fn define_global(&mut self, index: usize, init: Option<Init>) -> Res<()> {
        self.globals[index].defined = true;
        self.global_id(index);
        if let Some(init) = init {
            let ty = self.globals[index].ty.clone();
            let (ty, parts, bytes) = self.static_parts(&ty, init)?;
            let draft = &mut self.globals[index];
            draft.ty = ty;
            draft.init = parts;
            draft.init_bytes = bytes;
        }
        Ok(())
    }

    /// The object of a string literal at a place of the program; equal literals share one, unless they are to be kept apart.
    pub(super) fn string_object(
        &mut self,
        mut units: Vec<u8>,
        kind: IntKind,
        place: usize,
    ) -> LValue {
        let bytes = usize::from(kind.bits(self.model) / 8);
        units.resize(units.len() + bytes, 0);
        let length = (units.len() / bytes) as u64;
        let element = if kind == IntKind::Char {
            self.plain_char()
        } else {
            kind
        };
        let ty = CType::new(Kind::Array(
            Rc::new(CType::int(element)),
            Length::Known(length),
        ));
        let mut key = units.clone();
        key.push(kind.rank());
        if self.meaning.apart {
            key.extend(place.to_le_bytes());
        }
        let index = match self.strings.get_mut(&key) {
            Some((index, places)) => {
                places.insert(place);
                *index
            }
            None => {
                let text = String::from_utf8_lossy(&units[..units.len() - bytes]).into_owned();
                let bits = kind.bits(self.model);
                let init = units
                    .chunks(bytes)
                    .enumerate()
                    .map(|(i, unit)| {
                        let value = unit.iter().rev().fold(0, |v, b| v << 8 | u128::from(*b));
                        InitPart {
                            offset_bytes: (i * bytes) as u64,
                            bits,
                            value: Operand::Const { value, bits },
                        }
                    })
                    .filter(|part| !matches!(part.value, Operand::Const { value: 0, .. }))
                    .collect();
                let index = self.anonymous_global(&format!("{text:?}"), ty.clone(), init);
                self.globals[index].read_only = true;
                self.strings.insert(key, (index, [place].into()));
                index
            }
        };
        let id = self.global_id(index);
        self.body.texts.insert(id);
        LValue {
            ty,
            place: Place::Memory(Operand::GlobalAddr(id, 0)),
        }
    }

    /// Gives a standard stream of the C library, which programs may set, its first value: a number that no object has
    /// for its address. Whether it is one.
    fn is_stream(&mut self, index: usize) -> bool {
        let bits = self.pointer_bits();
        let draft = &mut self.globals[index];
        let names = ["stdin", "stdout", "stderr"];
        let Some(number) = names.iter().position(|name| *name == draft.name) else {
            return false;
        };
        let is_pointer = draft.ty.is_pointer();
        if is_pointer {
            let value = Operand::Const {
                value: number as u128 + 1,
                bits,
            };
            draft.init = vec![InitPart {
                offset_bytes: 0,
                bits,
                value,
            }];
        }
        is_pointer
    }

    /// The objects that are defined or used, in the order of their ids.
    pub(super) fn finish_globals(&mut self) -> Result<IdVec<GlobalId, Global>, Vec<Diagnostic>> {
        let mut globals = IdVec::new();
        let mut errors = Vec::new();
        for id in self.global_ids.ids() {
            let index = self.global_ids[id];
            if !self.globals[index].defined && !self.is_stream(index) {
                let draft = &self.globals[index];
                let (name, at) = (&draft.name, draft.loc);
                let text = format!("`{name}` is declared but not defined; it is taken as zero");
                self.warn_at(at, WarningKind::UndefinedObject, text);
            }
            let mut ty = self.globals[index].ty.clone();
            if let Kind::Array(element, Length::Unknown) = &ty.kind {
                // A tentative array without length has one element (C11 6.9.2).
                ty.kind = Kind::Array(Rc::clone(element), Length::Known(1));
            }
            let size = match self.size(&ty) {
                Some(size) => size,
                None if self.globals[index].defined && !self.is_broken(&ty) => {
                    let draft = &self.globals[index];
                    let text = format!("`{}` has an incomplete type", draft.name);
                    errors.push(Diagnostic::new(draft.loc, text));
                    0
                }
                None => 0,
            };
            let interned = self.intern(&ty);
            let align_bytes = self.align(&ty);
            let draft = &mut self.globals[index];
            globals.push(Global {
                name: std::mem::take(&mut draft.name),
                ty: interned,
                size_bytes: size.max(draft.init_bytes),
                align_bytes,
                init: std::mem::take(&mut draft.init),
                thread_local: draft.thread_local,
                read_only: draft.read_only,
                loc: draft.loc,
            });
        }
        if errors.is_empty() {
            Ok(globals)
        } else {
            Err(errors)
        }
    }
}
