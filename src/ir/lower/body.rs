//! The function under construction: blocks, registers, and the rules that fold while they emit.

use super::ctype::{CType, Signature};
use super::definite::prune;
use super::draft::Draft;
use super::fold;
use super::simplify::simplify;
use crate::base::id::Id;
use crate::base::{Diagnostic, IdVec, Loc};
use crate::ir::faults::{self, Fault};
use crate::ir::{
    Access, BinOp, Block, BlockId, Function, GlobalId, Instr, InstrKind, NondetSource, Operand,
    Origin, Reg, RegInfo, Rvalue, Terminator, UnOp, Undefined,
};
use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;
use std::rc::Rc;

/// Jump targets of `break` and `continue`.
pub(super) struct Jumps {
    pub break_to: BlockId,
    pub continue_to: Option<BlockId>,
    /// Number of scopes of objects that stay alive.
    pub scopes: usize,
}

/// A `switch` whose body is being lowered.
pub(super) struct SwitchDraft {
    /// Type of the controlling expression: signed or not, and width.
    pub bits: u16,
    pub signed: bool,
    pub cases: Vec<(u128, BlockId)>,
    /// GNU case ranges too long to list: both ends included.
    pub ranges: Vec<(u128, u128, BlockId)>,
    pub default: Option<BlockId>,
}

/// A function under construction. There is always a current block; code after a jump goes to a block that
/// nothing reaches and that [`Body::finish`] drops.
pub(super) struct Body {
    pub name: String,
    pub regs: IdVec<Reg, RegInfo>,
    pub blocks: IdVec<BlockId, Draft>,
    pub current: BlockId,
    /// Allocations of objects that jumps could bypass; they run on entry.
    pub prologue: Vec<Instr>,
    pub loc: Loc,
    /// End of the expression that begins at `loc`.
    pub end: Loc,
    pub jumps: Vec<Jumps>,
    pub switches: Vec<SwitchDraft>,
    pub labels: HashMap<String, Label, FxBuildHasher>,
    /// The open scopes with the stack objects that end with them; the first is the whole function.
    pub scopes: Vec<ObjectScope>,
    /// Offsets of the function's labels in the text, by name.
    pub label_places: HashMap<String, usize, FxBuildHasher>,
    /// Declarations (by place) that need memory.
    pub in_memory: hashbrown::HashSet<usize, FxBuildHasher>,
    /// Declarations (by place) that a jump may bypass.
    pub hoisted: hashbrown::HashSet<usize, FxBuildHasher>,
    /// Result type, and where a returned record goes.
    pub result: CType,
    pub result_addr: Option<Operand>,
    pub params: Vec<Reg>,
    pub variadic: bool,
    /// The area with the variable arguments, in a variadic function.
    pub arguments: Option<Operand>,
    pub is_main: bool,
    /// True if the function is declared not to return.
    pub never_returns: bool,
    /// Addresses of compound literals.
    pub literals: hashbrown::HashSet<Operand, FxBuildHasher>,
    /// Objects of string literals, which may be equal to other ones.
    pub texts: hashbrown::HashSet<GlobalId, FxBuildHasher>,
    /// Calls through pointers: the registers that say whether the callee has the right type, addresses and types.
    pub pointer_calls: Vec<(Reg, Operand, Rc<Signature>)>,
    /// Variables that are declared without a value, and the registers that say whether they have one.
    pub flags: HashMap<Reg, Reg, FxBuildHasher>,
    /// Errors found in the function.
    pub failures: Vec<Diagnostic>,
}

/// A scope of stack objects.
#[derive(Default)]
pub(super) struct ObjectScope {
    pub ends: Vec<ScopeEnd>,
    /// The text of the scope, first byte and end.
    pub text: (usize, usize),
}

/// Action where control leaves a scope.
#[derive(Clone)]
pub(super) enum ScopeEnd {
    /// The life of the object at this address ends.
    Object(Operand),
    /// The same for an object that control may not have come by; the register is zero then.
    Maybe(Reg),
    /// The call that `__attribute__((cleanup))` asks for, and the place of the declaration.
    Cleanup(Box<InstrKind>, usize),
}

/// A label of a function.
pub(super) struct Label {
    pub block: BlockId,
    pub defined: bool,
    pub loc: Loc,
}

impl Body {
    pub fn new(name: String, result: CType) -> Body {
        let mut blocks = IdVec::new();
        let current = blocks.push(Draft::default());
        Body {
            name,
            regs: IdVec::new(),
            blocks,
            current,
            prologue: Vec::new(),
            loc: Loc::NONE,
            end: Loc::NONE,
            jumps: Vec::new(),
            switches: Vec::new(),
            labels: HashMap::default(),
            scopes: vec![ObjectScope::default()],
            label_places: HashMap::default(),
            in_memory: Default::default(),
            hoisted: Default::default(),
            result,
            result_addr: None,
            params: Vec::new(),
            variadic: false,
            arguments: None,
            is_main: false,
            never_returns: false,
            literals: Default::default(),
            texts: Default::default(),
            pointer_calls: Vec::new(),
            flags: HashMap::default(),
            failures: Vec::new(),
        }
    }

    /// A new register.
    pub fn temp(&mut self, bits: u16) -> Reg {
        self.regs.push(RegInfo::temporary(bits))
    }

    /// A new block that is not current.
    pub fn block(&mut self) -> BlockId {
        self.blocks.push(Draft::default())
    }

    pub fn emit(&mut self, kind: InstrKind) {
        let loc = self.loc;
        self.blocks[self.current].instrs.push(Instr { kind, loc });
    }

    /// Ends the current block; what follows goes to a block that nothing reaches.
    pub fn end(&mut self, terminator: Terminator) {
        self.end_to(terminator);
        self.current = self.block();
    }

    /// Ends the current block and continues in `next`.
    pub fn end_with(&mut self, terminator: Terminator, next: BlockId) {
        self.end_to(terminator);
        self.current = next;
    }

    fn end_to(&mut self, terminator: Terminator) {
        let loc = self.loc;
        let draft = &mut self.blocks[self.current];
        if draft.end.is_none() {
            draft.end = Some((terminator, loc));
        }
    }

    /// A two-way jump, or a plain one if the condition is constant.
    pub fn branch(&mut self, cond: Operand, then: BlockId, other: BlockId, next: BlockId) {
        let terminator = match cond {
            Operand::Const { value: 0, .. } => Terminator::Jump(other),
            Operand::Const { .. } => Terminator::Jump(then),
            _ if then == other => Terminator::Jump(then),
            _ => Terminator::Branch { cond, then, other },
        };
        self.end_with(terminator, next);
    }

    /// Assigns to a fresh register of this width.
    pub fn assign(&mut self, bits: u16, value: Rvalue) -> Operand {
        let dst = self.temp(bits);
        self.emit(InstrKind::Assign { dst, value });
        Operand::Reg(dst)
    }

    pub fn nondet(&mut self, bits: u16, source: NondetSource) -> Operand {
        let dst = self.temp(bits);
        self.emit(InstrKind::Nondet { dst, source });
        Operand::Reg(dst)
    }

    pub fn load(&mut self, bits: u16, addr: Operand, access: Access) -> Operand {
        let dst = self.temp(bits);
        self.emit(InstrKind::Load { dst, addr, access });
        Operand::Reg(dst)
    }

    /// `a op b` with the width of the operands, folded if both are constant.
    pub fn binary(&mut self, op: BinOp, a: Operand, b: Operand, bits: u16) -> Operand {
        let result_bits = if fold::is_comparison(op) { 1 } else { bits };
        if let (Operand::Const { value: x, .. }, Operand::Const { value: y, .. }) = (a, b)
            && let Some(value) = fold::binary(op, x, y, bits)
        {
            return Operand::Const {
                value,
                bits: result_bits,
            };
        }
        let is_text =
            |operand| matches!(operand, Operand::GlobalAddr(id, _) if self.texts.contains(&id));
        if !(is_text(a) && is_text(b))
            && let Some(operand) = fold::neutral(op, a, b, bits)
        {
            return operand;
        }
        self.assign(result_bits, Rvalue::Binary(op, a, b))
    }

    pub fn unary(&mut self, op: UnOp, a: Operand, bits: u16) -> Operand {
        if let Operand::Const { value, .. } = a {
            let value = match op {
                UnOp::Neg => value.wrapping_neg(),
                UnOp::Not => !value,
            };
            return constant(value, bits);
        }
        self.assign(bits, Rvalue::Unary(op, a))
    }

    /// Converts between widths; `signed` says how the source is read.
    pub fn resize(&mut self, a: Operand, from: u16, to: u16, signed: bool) -> Operand {
        if from == to {
            return a;
        }
        if let Operand::Const { value, .. } = a {
            let value = if signed {
                fold::sign_extend(value, from)
            } else {
                value
            };
            return constant(value, to);
        }
        let value = if to < from {
            Rvalue::Truncate(a)
        } else if signed {
            Rvalue::SignExtend(a)
        } else {
            Rvalue::ZeroExtend(a)
        };
        self.assign(to, value)
    }

    pub fn select(&mut self, cond: Operand, then: Operand, other: Operand, bits: u16) -> Operand {
        match cond {
            Operand::Const { value: 0, .. } => other,
            Operand::Const { .. } => then,
            _ if then == other => then,
            _ => self.assign(bits, Rvalue::Select { cond, then, other }),
        }
    }

    /// States that `cond` must hold; nothing if it constantly does.
    pub fn defined(&mut self, cond: Operand, why: Undefined) {
        if !matches!(cond, Operand::Const { value: 1, .. }) {
            self.emit(InstrKind::Defined { cond, why });
        }
    }

    /// Purity of a block: true if its instructions have no effect but on fresh registers, and cannot trap.
    pub fn is_pure(&self, block: BlockId) -> bool {
        self.blocks[block]
            .instrs
            .iter()
            .all(|instr| match &instr.kind {
                InstrKind::Assign { dst, value } => {
                    self.regs[*dst].name.is_none() && !matches!(value, Rvalue::Offset { .. })
                }
                _ => false,
            })
    }

    /// An object that ends with the innermost scope.
    pub fn owns(&mut self, addr: Operand) {
        if let Some(scope) = self.scopes.last_mut() {
            scope.ends.push(ScopeEnd::Object(addr));
        }
    }

    /// A register for the address of an object that ends with the innermost scope, if control comes by the place
    /// that gives the register its value.
    pub fn owns_maybe(&mut self, bits: u16) -> Reg {
        let dst = self.temp(bits);
        let kind = none(dst, bits);
        let loc = self.loc;
        self.prologue.push(Instr { kind, loc });
        if let Some(scope) = self.scopes.last_mut() {
            scope.ends.push(ScopeEnd::Maybe(dst));
        }
        dst
    }

    /// Number of the open scopes that are still open at a label.
    pub fn scopes_at(&self, label: &str) -> usize {
        let Some(place) = self.label_places.get(label) else {
            return self.scopes.len();
        };
        let inside = |scope: &ObjectScope| scope.text.0 <= *place && *place < scope.text.1;
        1 + self.scopes[1..].iter().take_while(|s| inside(s)).count()
    }

    /// End of all scopes beyond the first `keep`: emits the actions for control that leaves them, the last ones first.
    pub fn end_lives(&mut self, keep: usize) {
        let ending: Vec<ScopeEnd> = self.scopes[keep..]
            .iter()
            .rev()
            .flat_map(|s| {
                if faults::on(Fault::CleanupOrder) {
                    s.ends.clone()
                } else {
                    s.ends.iter().rev().cloned().collect()
                }
            })
            .collect();
        for end in ending {
            match end {
                ScopeEnd::Object(addr) => self.emit(InstrKind::EndLife { addr }),
                ScopeEnd::Maybe(reg) => {
                    let addr = Operand::Reg(reg);
                    self.emit(InstrKind::EndLife { addr });
                    let bits = self.regs[reg].bits;
                    self.emit(none(reg, bits));
                }
                ScopeEnd::Cleanup(call, _) => self.emit(*call),
            }
        }
    }

    /// A jump back to before declarations of a scope that it stays in leaves the scope of their names.
    pub fn clean_up_behind(&mut self, label: &str, keep: usize) {
        let Some(place) = self.label_places.get(label).copied() else {
            return;
        };
        let calls: Vec<InstrKind> = self.scopes[..keep]
            .iter()
            .rev()
            .flat_map(|s| s.ends.iter().rev())
            .filter_map(|end| match end {
                ScopeEnd::Cleanup(call, at) if *at > place => Some((**call).clone()),
                _ => None,
            })
            .collect();
        for call in calls {
            self.emit(call);
        }
    }

    /// The finished function: unreachable blocks dropped, empty ones skipped, chains joined.
    pub fn finish(mut self, ret_bits: Option<u16>, loc: Loc) -> Function {
        let entry = BlockId::from_index(0);
        let mut prologue = std::mem::take(&mut self.prologue);
        prologue.append(&mut self.blocks[entry].instrs);
        self.blocks[entry].instrs = prologue;
        let mut drafts: Vec<Draft> = self.blocks.iter_mut().map(std::mem::take).collect();
        for draft in &mut drafts {
            if draft.end.is_none() {
                draft.end = Some((Terminator::Stop, loc));
            }
        }
        let blocks = simplify(drafts);
        let mut function = Function {
            name: self.name,
            params: self.params,
            ret_bits,
            variadic: self.variadic,
            regs: self.regs,
            blocks,
            entry,
            loc,
            origin: Origin::Program,
        };
        prune(&mut function, &self.flags.into_values().collect());
        function
    }
}

/// Sets the address of an object to that of none.
fn none(dst: Reg, bits: u16) -> InstrKind {
    let value = Rvalue::Use(constant(0, bits));
    InstrKind::Assign { dst, value }
}

/// A constant cut to its width.
pub(super) fn constant(value: u128, bits: u16) -> Operand {
    Operand::Const {
        value: fold::mask(value, bits),
        bits,
    }
}

/// A function that only passes its arguments on to a function without body, so that its address can be taken.
pub(super) fn forwarding(
    name: String,
    params: Vec<u16>,
    ret_bits: Option<u16>,
    call: crate::ir::ExternCall,
    loc: Loc,
) -> Function {
    let mut regs: IdVec<Reg, RegInfo> = IdVec::new();
    let params: Vec<Reg> = params
        .into_iter()
        .map(|bits| regs.push(RegInfo::temporary(bits)))
        .collect();
    let dst = ret_bits.map(|bits| regs.push(RegInfo::temporary(bits)));
    let args = params.iter().map(|r| Operand::Reg(*r)).collect();
    let instr = InstrKind::Call {
        dst,
        callee: crate::ir::Callee::Extern(call),
        args,
    };
    let block = Block {
        instrs: vec![Instr { kind: instr, loc }],
        end: Terminator::Return(dst.map(Operand::Reg)),
        end_loc: loc,
    };
    let mut blocks: IdVec<BlockId, Block> = IdVec::new();
    let entry = blocks.push(block);
    Function {
        name,
        params,
        ret_bits,
        variadic: false,
        regs,
        blocks,
        entry,
        loc,
        origin: Origin::Program,
    }
}

/// A function whose body could not be lowered and that nothing reaches.
pub(super) fn refused(name: String, reason: String, loc: Loc) -> Function {
    let block = Block {
        instrs: vec![Instr {
            kind: InstrKind::Unsupported { reason },
            loc,
        }],
        end: Terminator::Stop,
        end_loc: loc,
    };
    let mut blocks: IdVec<BlockId, Block> = IdVec::new();
    let entry = blocks.push(block);
    Function {
        name,
        params: Vec::new(),
        ret_bits: None,
        variadic: false,
        regs: IdVec::new(),
        blocks,
        entry,
        loc,
        origin: Origin::Program,
    }
}
