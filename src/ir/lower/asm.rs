//! Inline assembly: compiler barriers, fences and hints are understood, anything else is unsupported where it is
//! reached.

use super::convert::Typed;
use super::ctype::{CType, IntKind};
use super::{Lowerer, Res};
use crate::ir::{InstrKind, MemOrder, NondetSource};
use lang_c::ast::{AsmStatement, GnuAsmOperand, StringLiteral};
use lang_c::span::Node;

/// Effect of one instruction of inline assembly.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Effect {
    Nothing,
    Fence(MemOrder),
}

impl Lowerer {
    pub(super) fn asm(&mut self, asm: &AsmStatement) -> Res<()> {
        let none: &[Node<GnuAsmOperand>] = &[];
        let (template, outputs, inputs) = match asm {
            AsmStatement::GnuBasic(text) => (&text.node, none, none),
            AsmStatement::GnuExtended(asm) => {
                (&asm.template.node, &asm.outputs[..], &asm.inputs[..])
            }
        };
        let text = plain(template);
        let effects = effects(&text);
        let only_barrier = effects.as_ref().is_some_and(Vec::is_empty);
        let Some(effects) = effects.filter(|_| only_barrier || outputs.is_empty()) else {
            let reason = format!("inline assembly `{}`", text.escape_debug());
            self.body.emit(InstrKind::Unsupported { reason });
            return Ok(());
        };
        let mut values = Vec::new();
        for input in inputs {
            values.push(self.effect(&input.node.variable_name)?);
        }
        for effect in effects {
            if let Effect::Fence(order) = effect {
                self.body.emit(InstrKind::Fence { order });
            }
        }
        // Without instructions, an output has the value of the input in its place, or whatever is there.
        for (number, output) in outputs.iter().enumerate() {
            let constraint = plain(&output.node.constraints.node);
            if constraint.starts_with('+') {
                continue;
            }
            let target = self.lvalue(&output.node.variable_name)?;
            let tied = inputs
                .iter()
                .position(|input| plain(&input.node.constraints.node) == number.to_string());
            let value = match tied {
                Some(input) => values[input].clone(),
                None => {
                    let ty = CType::int(IntKind::UInt128);
                    let operand = self.body.nondet(128, NondetSource::Uninitialised);
                    Typed::scalar(ty, operand)
                }
            };
            let value = self.convert(value, &target.ty)?;
            self.store(&target, value)?;
        }
        Ok(())
    }
}

/// The text of a string literal, its escapes for white space replaced.
fn plain(text: &StringLiteral) -> String {
    let text: String = text.iter().map(|part| part.trim_matches('"')).collect();
    text.replace("\\n", "\n").replace("\\t", " ")
}

/// Effects of the instructions of a template, in order; `None` if one of them is not known.
///
/// `lfence`, `sfence` and `lwsync` order less than a full fence does: they let a later read go before an earlier
/// write.
fn effects(template: &str) -> Option<Vec<Effect>> {
    let text = template.to_lowercase().replace("%%", "%");
    let mut effects = Vec::new();
    let mut locked = false;
    for piece in text.split([';', '\n']) {
        let words: Vec<&str> = piece.split_whitespace().collect();
        let words = words.join(" ");
        let instruction = match words.strip_prefix("lock ") {
            Some(rest) => {
                locked = true;
                rest
            }
            None => &words,
        };
        let effect = match instruction {
            "" => continue,
            "lock" => {
                locked = true;
                continue;
            }
            _ if std::mem::take(&mut locked) => {
                // A locked update of the stack's top that leaves it as it is.
                let adds = instruction.starts_with("add") || instruction.starts_with("or");
                let zero = instruction.contains(" $0,") || instruction.contains(" $0x0,");
                let stack = instruction.ends_with("(%esp)") || instruction.ends_with("(%rsp)");
                if adds && zero && stack {
                    Effect::Fence(MemOrder::SeqCst)
                } else {
                    return None;
                }
            }
            "nop" | "pause" | "rep" | "rep nop" | "yield" | "isb" | "isb sy" => Effect::Nothing,
            "mfence" | "sync" | "hwsync" | "mb" | "dmb" | "dmb sy" | "dmb ish" | "dsb"
            | "dsb sy" | "dsb ish" | "fence" | "fence rw,rw" | "fence iorw,iorw" => {
                Effect::Fence(MemOrder::SeqCst)
            }
            "lfence" | "sfence" | "lwsync" | "dmb ishld" | "dmb ishst" => {
                Effect::Fence(MemOrder::AcqRel)
            }
            _ => return None,
        };
        effects.push(effect);
    }
    // A prefix without an instruction.
    (!locked).then_some(effects)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fences_and_hints() {
        let full = Some(vec![Effect::Fence(MemOrder::SeqCst)]);
        for text in [
            "mfence",
            "lock; addl $0,0(%%esp)",
            "lock\n orl $0x0, (%rsp)",
            "lock addq $0, -8(%%rsp)",
            "dmb  ish",
            "MFENCE;",
        ] {
            assert_eq!(effects(text), full, "{text}");
        }
        assert_eq!(effects(" ; \n"), Some(vec![]));
        assert_eq!(effects("rep; nop"), Some(vec![Effect::Nothing; 2]));
        assert_eq!(
            effects("lwsync"),
            Some(vec![Effect::Fence(MemOrder::AcqRel)])
        );
        for text in [
            "lock; incl %0",
            "lock",
            "cpuid",
            "xchgl %0, %1",
            "lock addl $1,(%rsp)",
        ] {
            assert_eq!(effects(text), None, "{text}");
        }
    }
}
