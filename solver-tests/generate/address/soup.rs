//! Random statements over addresses and the integers made from them.

use super::{Parts, Writer, line};
use crate::program::Statement;

impl Writer {
    /// Random statements.
    pub(super) fn soup(&mut self) -> Parts {
        let mut list = |most: i64| -> Vec<Statement> {
            (0..self.random.between(1, most))
                .map(|_| self.statement())
                .collect()
        };
        let before = list(3);
        let threads = vec![list(4), list(4)];
        let mut after = list(2);
        after.push(self.claim());
        Parts {
            before,
            threads,
            after,
            ..Parts::default()
        }
    }

    pub(super) fn statement(&mut self) -> Statement {
        let object = *self.random.pick(&[
            "malloc(4)",
            "malloc(4)",
            "malloc(16)",
            "&s0",
            "&s1",
            "p0",
            "p1",
            "&n0.value",
            "held",
            "&held[1]",
            "(int *)&k1",
            "aligned_alloc(8, 8)",
        ]);
        let number = *self.random.pick(&[
            "k0",
            "k1",
            "(uintptr_t)q",
            "(uintptr_t)p0",
            "(uintptr_t)&s0",
            "(uintptr_t)&s1",
            "u",
            "v",
        ]);
        let pointer = *self.random.pick(&["q", "r", "p0", "p1"]);
        let edit = *self.random.pick(&[
            "^ 1",
            "| 1",
            "& ~(uintptr_t)1",
            "& ~(uintptr_t)7",
            "+ 4",
            "- 4",
            "* 3",
            ">> 4",
            "& 15",
            "% 12",
            "<< 1",
            "& ~(uintptr_t)4095",
            "^ 4096",
            "/ 2",
            "| 0x100000",
        ]);
        let word = *self.random.pick(&["u", "u", "v", "k0"]);
        match self.random.below(26) {
            0 | 1 => line(format!("{pointer} = {object};")),
            2 => line(format!("if ({pointer}) free({pointer});")),
            3 | 4 => line(format!("{word} = {number};")),
            5 => line(format!("{word} = {word} {edit};")),
            6 => line(format!("{word} ^= {number};")),
            7 => line(format!("{word} -= {number};")),
            8 => line(format!("{word} += {number};")),
            9 => line(format!("{pointer} = (int *){word};")),
            10 => line(format!("if ({pointer} == {object}) n++;")),
            11 => line(format!("__sync_bool_compare_and_swap(&p0, {pointer}, q);")),
            12 => line(format!("if ({pointer} && !({number} & 3)) *{pointer} = 1;")),
            13 => line(format!("t = (int)(long){number};")),
            14 => line(format!(
                "{word} = ((unsigned char *)&{pointer})[{}];",
                self.random.below(4)
            )),
            15 => line(format!("if ({pointer} < {object}) n++;")),
            16 => line(format!("{word} = n ? {number} : {word};")),
            17 => line(format!("{pointer}++;")),
            18 => line(format!(
                "{pointer} = (int *)((char *){pointer} {});",
                match edit {
                    "+ 4" | "- 4" => edit,
                    _ => "+ 1 - 1",
                }
            )),
            19 => line(format!("memcpy(&{word}, &{pointer}, sizeof {word});")),
            20 => line(format!(
                "((unsigned char *)&{word})[{}] = {};",
                self.random.below(4),
                self.random.below(2)
            )),
            21 => line(format!(
                "__atomic_fetch_xor(&k0, {number}, __ATOMIC_SEQ_CST);"
            )),
            22 => line(format!(
                "switch ({number} & 7) {{ case 0: t = 1; break; case 4: n++; }}"
            )),
            23 => line(format!(
                "{word} = {}{word};",
                self.random.pick(&["~", "-", "(uintptr_t)(int)"])
            )),
            24 => line(format!(
                "__sync_bool_compare_and_swap(&k0, {number}, {word});"
            )),
            _ => self.claim(),
        }
    }

    fn claim(&mut self) -> Statement {
        let number = *self.random.pick(&[
            "k0",
            "u",
            "v",
            "(uintptr_t)p0",
            "(uintptr_t)q",
            "(uintptr_t)&s0",
        ]);
        let other = *self.random.pick(&[
            "k1",
            "u",
            "(uintptr_t)p1",
            "(uintptr_t)r",
            "(uintptr_t)&s1",
            "k0 + 4",
        ]);
        line(match self.random.below(13) {
            0 => format!("assert({number} != {other});"),
            1 => format!("if ({number} && {other}) assert({number} < {other});"),
            2 => format!("assert(({number} & 63) == 0);"),
            3 => format!("assert(({number} >> 4 & 1) == 0);"),
            4 => format!("if ({number}) assert((int)(long){number});"),
            5 => "assert(p0 != p1 || !p0);".into(),
            6 => "assert(q == r || q != p0);".into(),
            7 => "assert(n < 2);".into(),
            8 => format!("assert(({number} ^ {other}) > 64);"),
            9 => format!("assert({number} % 12 != 8);"),
            10 => format!("assert({number} < {other} || {number} >= {other});"),
            11 => format!("if ({number} >> 47) assert({other} >> 20 == 0);"),
            _ => format!("assert({number} - {other} != 4);"),
        })
    }
}
