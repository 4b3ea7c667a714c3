//! Random programs that look at machine addresses: reuse of storage, tags, masks, stripes, alignment, order, halves, packing,
//! bytes, and integers that are kept while objects come and go. Two thirds of them are idioms, the others random statements.

mod block;
mod object;
mod reuse;
mod soup;
mod word;

use super::{PRELUDE, creations, joins, locked, workers};
use crate::oracle::ILP32;
use crate::program::{Function, Program, Statement, line, lines};
use crate::random::Random;

/// The program of a seed; every third is for ILP32.
pub fn generate(seed: u64) -> Program {
    let mut writer = Writer {
        random: Random::new(seed ^ 0x6164_6472_0000),
        wide: !seed.is_multiple_of(3),
    };
    writer.program()
}

struct Writer {
    random: Random,
    /// True if pointers have 64 bits.
    wide: bool,
}

/// Declarations that random statements use.
const GLOBALS: [&str; 6] = [
    "struct node { int value; struct node *next; } n0, n1, *top;",
    "int s0, s1, n, *p0, *p1;",
    "char byte0, byte1;",
    "uintptr_t k0, k1;",
    "pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, stripes[4] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};",
    "int held[2];",
];

/// Threads' statements, main's before and after them, and declarations of their own.
#[derive(Default)]
struct Parts {
    globals: Vec<String>,
    before: Vec<Statement>,
    threads: Vec<Vec<Statement>>,
    after: Vec<Statement>,
}

impl Writer {
    fn parts(&mut self) -> Parts {
        match self.random.below(42) {
            0 | 1 => self.stack(),
            2 | 3 => self.reuse(),
            4 => self.kept(),
            5 => self.scope(),
            6 => self.resized(),
            7 => self.versions(),
            8 | 9 => self.stripes(),
            10 => self.ordered(),
            11 => self.neighbours(),
            12 => self.container(),
            13 | 14 => self.hash_table(),
            15 => self.functions(),
            16 => self.literals(),
            17 => self.aligned(),
            18 => self.thread_local(),
            19 => self.tagged(),
            20 => self.packed(),
            21 | 22 => self.xor(),
            23 => self.copied(),
            24 => self.parts_of_words(),
            25 => self.fields(),
            26 => self.distance(),
            27 => self.updates(),
            28 => self.guarded(),
            29 | 30 => self.moved(),
            31 | 32 => self.blocks(),
            _ => self.soup(),
        }
    }

    fn program(&mut self) -> Program {
        let mut parts = self.parts();
        if self.random.chance(40) {
            let which = self.random.below(parts.threads.len());
            let list = &mut parts.threads[which];
            let at = self.random.below(list.len() + 1);
            let added = self.statement();
            parts.threads[which].insert(at, added);
        }
        let locals = line("int *q = &s0, *r = &s1, t = 0; uintptr_t u = 0, v = 0;");
        let count = parts.threads.len();
        let mut functions = workers(parts.threads, &locals, "0");
        let mut body = vec![locals, line(format!("pthread_t id[{count}];"))];
        body.append(&mut parts.before);
        body.extend(creations(count, None));
        if self.random.chance(20) {
            body.push(self.statement());
        }
        if self.random.chance(85) {
            body.extend(joins(count));
        }
        body.append(&mut parts.after);
        body.push(line("return 0;"));
        functions.push(Function {
            head: "int main(void)".into(),
            body,
        });
        let model = if self.wide { "" } else { ILP32 };
        let mut globals: Vec<String> = GLOBALS.map(String::from).to_vec();
        globals.push(if self.wide {
            "typedef unsigned __int128 wide;".into()
        } else {
            "typedef unsigned long long wide;".into()
        });
        globals.append(&mut parts.globals);
        Program {
            prelude: format!("{model}\n#include <stdint.h>\n{PRELUDE}"),
            globals,
            functions,
        }
    }
}
