//! Random programs with defects of every check beside assertions, and with repairs of them: what is done to blocks, elements,
//! numbers and locks by one to three threads and `main`, right or wrong, protected or not. A third are random statements.

mod blocks;
mod misuse;
mod number;
mod object;
mod soup;

use super::{PRELUDE, joins, locked, workers};
use crate::oracle::{ILP32, MAY_FAIL};
use crate::program::{Function, Program, Statement, guard, line, lines};
use crate::random::Random;

/// The program of a seed; every fourth is for ILP32, and in every fifth allocations may fail.
pub fn generate(seed: u64) -> Program {
    let mut writer = Writer {
        random: Random::new(seed ^ 0x6465_6665_6374),
    };
    let mut program = writer.program();
    if seed.is_multiple_of(4) {
        program.prelude.insert_str(0, &format!("{ILP32}\n"));
    }
    if seed.is_multiple_of(5) {
        program.prelude.insert_str(0, MAY_FAIL);
    }
    program
}

struct Writer {
    random: Random,
}

/// Declarations that idioms and random statements share.
const GLOBALS: [&str; 4] = [
    "int *slot, n, i0, go;",
    "int table[3];",
    "struct node { int value; struct node *next; } *head;",
    "pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, m2 = PTHREAD_MUTEX_INITIALIZER;",
];

/// Threads' statements, main's before and after them, declarations and functions of their own.
#[derive(Default)]
struct Parts {
    globals: Vec<String>,
    functions: Vec<Function>,
    before: Vec<Statement>,
    threads: Vec<Vec<Statement>>,
    after: Vec<Statement>,
    /// Value that threads return, if not 0.
    result: Option<&'static str>,
}

impl Writer {
    /// One of a list of texts.
    fn one(&mut self, texts: &[&'static str]) -> &'static str {
        let text: &&'static str = self.random.pick(texts);
        text
    }

    /// Statements as the body of a critical section, most of the time.
    fn guarded(&mut self, texts: &[&str]) -> Vec<Statement> {
        // A section is left where it was entered.
        let leaves = texts.iter().any(|text| text.contains("return"));
        match self.random.below(10) {
            0..6 => vec![locked(lines(texts))],
            6 if !leaves => vec![guard(
                "__VERIFIER_atomic_begin();",
                lines(texts),
                "__VERIFIER_atomic_end();",
            )],
            _ => lines(texts),
        }
    }

    /// The same statements for two threads, each guarded or not.
    fn twice(&mut self, texts: &[&str]) -> Vec<Vec<Statement>> {
        vec![self.guarded(texts), self.guarded(texts)]
    }

    /// Statements of one thread and of another, each guarded or not.
    fn pair(&mut self, one: &str, other: &str) -> Vec<Vec<Statement>> {
        vec![self.guarded(&[one]), self.guarded(&[other])]
    }

    fn parts(&mut self) -> Parts {
        match self.random.below(58) {
            0 | 1 => self.handed_over(),
            2..=4 => self.counted(),
            5 => self.made_once(),
            6 | 7 => self.listed(),
            8 | 9 => self.lent(),
            10 => self.grown(),
            11 => self.results(),
            12..=14 => self.indexed(),
            15 => self.filled(),
            16..=22 | 39 | 40 => self.summed(),
            23 => self.divided(),
            24 => self.shifted(),
            25 => self.converted(),
            26 | 27 => self.unset(),
            28 => self.beyond(),
            29 => self.called(),
            30 => self.constant(),
            31 | 32 => self.released(),
            33 => self.over(),
            34 => self.counted_locks(),
            35 => self.joined_again(),
            36 => self.waiting(),
            37 | 38 => self.repeated(),
            _ => self.soup(),
        }
    }

    fn program(&mut self) -> Program {
        let mut parts = self.parts();
        if self.random.chance(35) {
            let which = self.random.below(parts.threads.len());
            let at = self.random.below(parts.threads[which].len() + 1);
            let added = self.statement();
            parts.threads[which].insert(at, added);
        }
        let locals = line("int t = 0, *q = 0;");
        let mut functions = parts.functions;
        let count = parts.threads.len();
        let result = parts.result.unwrap_or("0");
        functions.extend(workers(parts.threads, &locals, result));
        let mut body = vec![locals];
        body.append(&mut parts.before);
        body.extend((0..count).map(|i| {
            line(format!(
                "pthread_create(&id[{i}], 0, worker{i}, (void *){i}l);"
            ))
        }));
        if self.random.chance(15) {
            body.push(self.statement());
        }
        if self.random.chance(90) {
            body.extend(joins(count));
        }
        body.append(&mut parts.after);
        let end = match self.random.below(20) {
            0 => "exit(0);",
            1 => "if (go) abort(); else exit(t);",
            2 => "if (n == 1) exit(1);",
            _ => "return 0;",
        };
        body.push(line(end));
        functions.push(Function {
            head: "int main(void)".into(),
            body,
        });
        let mut globals: Vec<String> = GLOBALS.map(String::from).to_vec();
        globals.push(format!("pthread_t id[{count}];"));
        globals.append(&mut parts.globals);
        Program {
            prelude: format!("#include <limits.h>\n{PRELUDE}"),
            globals,
            functions,
        }
    }
}
