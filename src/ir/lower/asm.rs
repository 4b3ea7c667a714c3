//! Inline assembly (GCC's extended `asm`): its operands, and what its instructions do with them.
//!
//! A template is read as instructions of x86 ([`template`]), which are executed one after the other where the statement is lowered
//! ([`x86`]) on a machine with registers and flags of its own ([`machine`]). What is left in the registers of outputs goes to their
//! variables. What is not understood is unsupported where it is reached.

mod barrier;
mod machine;
mod template;
mod x86;

use super::convert::{Typed, Value};
use super::ctype::{CType, IntKind, Kind};
use super::fold;
use super::lvalue::{LValue, Place};
use super::{Lowerer, Res};
use crate::ir::{InstrKind, NondetSource, Operand};
use barrier::Effect;
use lang_c::ast::{AsmStatement, GnuAsmOperand, GnuExtendedAsmStatement, StringLiteral};
use machine::{Bound, Flag, Flags, Machine, Role};
use template::Names;

impl Lowerer {
    pub(super) fn asm(&mut self, asm: &AsmStatement) -> Res<()> {
        match asm {
            AsmStatement::GnuBasic(text) => {
                let text = plain(&text.node);
                match barrier::effects(&text) {
                    Some(effects) => self.fences(effects),
                    None => self.unknown(&text, "it has no operands"),
                }
                Ok(())
            }
            AsmStatement::GnuExtended(asm) => self.extended(asm),
        }
    }

    fn fences(&mut self, effects: Vec<Effect>) {
        for effect in effects {
            if let Effect::Fence(order) = effect {
                self.body.emit(InstrKind::Fence { order });
            }
        }
    }

    fn unknown(&mut self, text: &str, why: &str) {
        let text = text.escape_debug();
        let reason = format!("inline assembly `{text}` ({why})");
        self.body.emit(InstrKind::Unsupported { reason });
    }

    fn extended(&mut self, asm: &GnuExtendedAsmStatement) -> Res<()> {
        let text = plain(&asm.template.node);
        // Fences and hints of other machines, too.
        let effects = barrier::effects(&text);
        let clobbers: Vec<String> = asm.clobbers.iter().map(|c| plain(&c.node)).collect();
        let mut machine = Machine {
            bound: Vec::new(),
            bits: Vec::new(),
            cells: Vec::new(),
            families: [None; 16],
            flags: Flags::all(Flag::Open),
            is_barrier: clobbers.iter().any(|clobber| clobber == "memory"),
            has_shared: false,
            lowerer: self,
        };
        let mut odd = None;
        let mut outputs = Vec::new();
        for output in &asm.outputs {
            match machine.output(&output.node)? {
                Ok(target) => outputs.push(target),
                Err(why) => odd = odd.or(Some(why)),
            }
        }
        for input in &asm.inputs {
            if let Err(why) = machine.input(&input.node)? {
                odd = odd.or(Some(why));
            }
        }
        if let Some(why) = odd {
            self.unknown(&text, &why);
            return Ok(());
        }
        for clobber in &clobbers {
            if let Some(register) = template::register(clobber.trim_start_matches('%')) {
                let cell = machine.cell(Role::Clobbered);
                machine.families[register.family].get_or_insert(cell);
            }
        }
        let done = match effects {
            Some(effects) => {
                machine.lowerer.fences(effects);
                Ok(())
            }
            None => {
                let operands = asm.outputs.iter().chain(&asm.inputs);
                let names: Vec<String> = operands
                    .map(|operand| {
                        let name = operand.node.symbolic_name.as_ref();
                        name.map_or(String::new(), |name| name.node.name.clone())
                    })
                    .collect();
                let names = Names {
                    names: &names,
                    bits: &machine.bits.clone(),
                };
                let instructions = template::parse(&text, &names);
                instructions.and_then(|all| all.iter().try_for_each(|one| machine.step(one)))
            }
        };
        let done = match done {
            Ok(()) => machine.store_all(&outputs)?,
            Err(why) => Err(why),
        };
        if let Err(why) = done {
            self.unknown(&text, &why);
        }
        Ok(())
    }
}

/// Letters of constraints for the general registers of one family, and the family.
const FAMILIES: [(char, usize); 6] = [
    ('a', template::AX),
    ('b', template::BX),
    ('c', template::CX),
    ('d', template::DX),
    ('S', template::SI),
    ('D', template::DI),
];

/// Place that a constraint asks for.
enum Wanted {
    Family(usize),
    Register,
    Memory,
    /// The register of the output of this number.
    Tied(usize),
    Condition(String),
}

/// Place that a constraint without its signs asks for; a register if it leaves the choice, as that is all the same.
fn wanted(letters: &str) -> Result<Wanted, String> {
    let odd = || format!("constraint `{letters}`");
    if let Some(condition) = letters.strip_prefix("@cc") {
        return Ok(Wanted::Condition(condition.to_string()));
    }
    if let Ok(number) = letters.parse() {
        return Ok(Wanted::Tied(number));
    }
    let known = "rqQRlgXmoVinIJKLMNeZabcdSD,";
    if letters.is_empty() || !letters.chars().all(|letter| known.contains(letter)) {
        return Err(odd());
    }
    if letters.contains(|letter| "rqQRlgXinIJKLMNeZ".contains(letter)) {
        return Ok(Wanted::Register);
    }
    let family = FAMILIES
        .iter()
        .find(|(letter, _)| letters.contains(*letter));
    match family {
        // One of several is the compiler's choice.
        Some((_, family)) if letters.len() == 1 => Ok(Wanted::Family(*family)),
        Some(_) => Err(odd()),
        None => Ok(Wanted::Memory),
    }
}

/// The number that a constraint takes as a part of the instruction; `None` if it has to be in a register.
fn immediate(letters: &str, value: &Typed) -> Option<i128> {
    let Value::Scalar(Operand::Const { value: word, bits }) = value.value else {
        return None;
    };
    let number = match value.ty.is_signed() {
        true => fold::sign_extend(word, bits) as i128,
        false => word as i128,
    };
    let fits = |letter| match letter {
        'I' => (0..=31).contains(&number),
        'J' => (0..=63).contains(&number),
        'K' => i8::try_from(number).is_ok(),
        'L' => matches!(number, 0xff | 0xffff | 0xffff_ffff),
        'M' => (0..=3).contains(&number),
        'N' => u8::try_from(number).is_ok(),
        'e' => i32::try_from(number).is_ok(),
        'Z' => u32::try_from(number).is_ok(),
        'i' | 'n' | 'g' | 'X' => true,
        _ => false,
    };
    letters.chars().any(fits).then_some(number)
}

/// An output: the number of its operand, and where its value goes.
struct Output {
    number: usize,
    target: LValue,
}

impl Machine<'_> {
    /// Binds an output; the inner error says what is not understood.
    fn output(&mut self, operand: &GnuAsmOperand) -> Res<Result<Output, String>> {
        let constraint = plain(&operand.constraints.node);
        let is_read = constraint.contains('+');
        let early = constraint.contains('&');
        let letters: String = constraint
            .chars()
            .filter(|c| !"=+&% ".contains(*c))
            .collect();
        let target = self.lowerer.lvalue(&operand.variable_name)?;
        let number = self.bound.len();
        let bits = self.lowerer.bits(&target.ty);
        self.bits.push(bits);
        let cell = match wanted(&letters) {
            Ok(Wanted::Condition(condition)) => {
                self.bound.push(Bound::Condition(condition));
                return Ok(Ok(Output { number, target }));
            }
            Ok(Wanted::Memory) => match target.place {
                Place::Memory(address) => {
                    self.bound.push(Bound::Memory(address));
                    return Ok(Ok(Output { number, target }));
                }
                Place::Reg(_) => self.cell(Role::Local),
                Place::Bits(..) => return Ok(Err("a bit-field in memory".into())),
            },
            Ok(Wanted::Register) => self.cell(Role::Output { early }),
            Ok(Wanted::Family(family)) => {
                let cell = self.cell(Role::Output { early });
                if self.families[family].replace(cell).is_some() {
                    return Ok(Err(format!("constraint `{constraint}` twice")));
                }
                cell
            }
            Ok(Wanted::Tied(_)) => return Ok(Err(format!("constraint `{constraint}`"))),
            Err(why) => return Ok(Err(why)),
        };
        self.bound.push(Bound::Register(cell));
        if is_read || self.cells[cell].role == Role::Local {
            let value = self.lowerer.load(&target)?;
            if let Err(why) = self.put_in(cell, value)? {
                return Ok(Err(why));
            }
        }
        Ok(Ok(Output { number, target }))
    }

    /// Binds an input.
    fn input(&mut self, operand: &GnuAsmOperand) -> Res<Result<(), String>> {
        let constraint = plain(&operand.constraints.node);
        let letters: String = constraint.chars().filter(|c| !"% ".contains(*c)).collect();
        let wanted = match wanted(&letters) {
            Ok(wanted) => wanted,
            Err(why) => return Ok(Err(why)),
        };
        if let Wanted::Memory = wanted {
            let target = self.lowerer.lvalue(&operand.variable_name)?;
            self.bits.push(self.lowerer.bits(&target.ty));
            return match target.place {
                Place::Memory(address) => {
                    self.bound.push(Bound::Memory(address));
                    Ok(Ok(()))
                }
                Place::Reg(_) => {
                    let cell = self.cell(Role::Local);
                    self.bound.push(Bound::Register(cell));
                    let value = self.lowerer.load(&target)?;
                    let set = self.put_in(cell, value)?;
                    self.cells[cell].role = Role::Input;
                    Ok(set)
                }
                Place::Bits(..) => Ok(Err("a bit-field in memory".into())),
            };
        }
        let value = self.lowerer.expr(&operand.variable_name)?;
        self.bits.push(self.lowerer.bits(&value.ty));
        if let Some(number) = immediate(&letters, &value) {
            self.bound.push(Bound::Immediate(number));
            return Ok(Ok(()));
        }
        let cell = match wanted {
            Wanted::Tied(number) => match self.bound.get(number) {
                Some(Bound::Register(cell)) => *cell,
                _ => return Ok(Err(format!("constraint `{constraint}`"))),
            },
            Wanted::Family(family) => match self.families[family] {
                Some(cell) => cell,
                None => {
                    let cell = self.cell(Role::Input);
                    self.families[family] = Some(cell);
                    cell
                }
            },
            Wanted::Register => self.cell(Role::Input),
            Wanted::Memory | Wanted::Condition(_) => {
                return Ok(Err(format!("constraint `{constraint}`")));
            }
        };
        self.bound.push(Bound::Register(cell));
        if self.cells[cell].value.is_some() {
            return Ok(Err(format!("constraint `{constraint}` twice")));
        }
        self.put_in(cell, value)
    }

    /// Gives a register the value of an expression.
    fn put_in(&mut self, cell: usize, value: Typed) -> Res<Result<(), String>> {
        let word_bits = self.word_bits();
        let bits = self.lowerer.bits(&value.ty);
        if matches!(value.value, Value::Record(_) | Value::Void) || bits > word_bits {
            return Ok(Err("an operand that fits into no register".into()));
        }
        let operand = self.lowerer.operand(value.clone())?;
        let whole = self.lowerer.body.resize(operand, bits, word_bits, false);
        self.cells[cell].value = Some(whole);
        self.cells[cell].known_bits = bits;
        self.cells[cell].input = Some(value);
        Ok(Ok(()))
    }

    /// Stores what the registers of outputs hold in their variables.
    fn store_all(&mut self, outputs: &[Output]) -> Res<Result<(), String>> {
        for Output { number, target } in outputs {
            let ty = target.ty.unqualified();
            let value = match self.bound[*number].clone() {
                Bound::Memory(_) | Bound::Immediate(_) => continue,
                Bound::Condition(suffix) => match self.condition(&suffix) {
                    Ok(holds) => Typed::truth(holds),
                    Err(why) => return Ok(Err(why)),
                },
                Bound::Register(cell) => match self.result(cell, &ty) {
                    Ok(value) => value,
                    Err(why) => return Ok(Err(why)),
                },
            };
            let value = self.lowerer.convert(value, &target.ty)?;
            self.lowerer.store(target, value)?;
        }
        Ok(Ok(()))
    }

    /// Result that a register holds in the end, for a variable of this type.
    fn result(&mut self, cell: usize, ty: &CType) -> Result<Typed, String> {
        if let Some(input) = self.cells[cell].input.clone() {
            return Ok(input);
        }
        let bits = self.lowerer.bits(ty);
        let word = match self.cells[cell].value {
            // Nobody has set it.
            None => self.lowerer.body.nondet(bits, NondetSource::Uninitialised),
            Some(_) if self.cells[cell].known_bits < bits => {
                return Err("an output of which a part has no value".into());
            }
            Some(word) => {
                let word_bits = self.word_bits();
                self.lowerer.body.resize(word, word_bits, bits, false)
            }
        };
        let kind = match bits {
            8 => IntKind::UChar,
            16 => IntKind::UShort,
            32 => IntKind::UInt,
            _ => IntKind::ULongLong,
        };
        let ty = match ty.kind {
            Kind::Pointer(_) | Kind::Float(_) => ty.clone(),
            _ => CType::int(kind),
        };
        Ok(Typed::scalar(ty, word))
    }
}

/// The text of a string literal, its escapes replaced.
fn plain(text: &StringLiteral) -> String {
    let text: String = text.iter().map(|part| part.trim_matches('"')).collect();
    text.replace("\\n", "\n")
        .replace("\\t", " ")
        .replace("\\\"", "\"")
}
