//! Templates that are barriers alone: fences and hints of several machines.

use crate::ir::MemOrder;

/// Effect of one instruction of inline assembly.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Effect {
    Nothing,
    Fence(MemOrder),
}

/// Effects of the instructions of a template, in order; `None` if one of them is not known.
///
/// `lfence`, `sfence` and `lwsync` order less than a full fence does: they let a later read go before an earlier
/// write.
pub(super) fn effects(template: &str) -> Option<Vec<Effect>> {
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
