//! Random programs about store buffers: litmus tests in C, with accesses of any order, of parts of objects, through
//! pointers and into arrays, and with what drains buffers or keeps stores in order between them.

use super::PRELUDE;
use crate::program::{Function, Program, Statement, block, guard, line};
use crate::random::Random;

/// The program of a seed.
pub fn generate(seed: u64) -> Program {
    let mut writer = Writer {
        random: Random::new(seed ^ 0x0077_6561_6b00),
        registers: 0,
        noise: 0,
        hand: Random::new(seed ^ 0x0072_6573_756c),
    };
    writer.program()
}

struct Writer {
    random: Random,
    /// Results that threads have so far.
    registers: usize,
    /// Statements that may still be put between others.
    noise: usize,
    /// Choices of its own: which threads return what they load last to who joins them.
    hand: Random,
}

/// A store of a constant, a load into a result, or a barrier where there may be one.
#[derive(Clone, Copy)]
enum Step {
    Store(&'static str, i64),
    Load(&'static str),
    Barrier,
}

use Step::{Barrier, Load, Store};

/// Steps of threads, and a condition over results (`r0`, … in the order of the loads) and variables that sequential
/// consistency excludes.
type Idiom = (&'static [&'static [Step]], &'static str);

const IDIOMS: &[Idiom] = &[
    // Store buffering, with and without reading one's own store.
    (
        &[
            &[Store("x", 1), Barrier, Load("y")],
            &[Store("y", 1), Barrier, Load("x")],
        ],
        "r0 == 0 && r1 == 0",
    ),
    (
        &[
            &[Store("x", 1), Load("x"), Barrier, Load("y")],
            &[Store("y", 1), Load("y"), Barrier, Load("x")],
        ],
        "r0 == 1 && r1 == 0 && r2 == 1 && r3 == 0",
    ),
    // Message passing.
    (
        &[
            &[Store("x", 1), Barrier, Store("y", 1)],
            &[Load("y"), Barrier, Load("x")],
        ],
        "r0 == 1 && r1 == 0",
    ),
    // Load buffering.
    (
        &[
            &[Load("x"), Barrier, Store("y", 1)],
            &[Load("y"), Barrier, Store("x", 1)],
        ],
        "r0 == 1 && r1 == 1",
    ),
    // Stores in both threads, with what memory holds in the end.
    (
        &[
            &[Store("x", 1), Barrier, Store("y", 1)],
            &[Store("y", 2), Barrier, Load("x")],
        ],
        "r0 == 0 && y == 2",
    ),
    (
        &[
            &[Store("x", 2), Barrier, Store("y", 1)],
            &[Load("y"), Barrier, Store("x", 1)],
        ],
        "r0 == 1 && x == 2",
    ),
    (
        &[
            &[Store("x", 1), Barrier, Store("y", 2)],
            &[Store("y", 1), Barrier, Store("x", 2)],
        ],
        "x == 1 && y == 1",
    ),
    // One variable: coherence.
    (
        &[
            &[Store("x", 1), Barrier, Load("x")],
            &[Store("x", 2), Barrier, Load("x")],
        ],
        "r0 == 2 && r1 == 1",
    ),
    (
        &[
            &[Store("x", 1), Store("x", 2)],
            &[Load("x"), Barrier, Load("x")],
        ],
        "r0 == 2 && r1 == 1",
    ),
    // Three threads.
    (
        &[
            &[Store("x", 1), Barrier, Store("y", 1)],
            &[Load("y"), Barrier, Store("z", 1)],
            &[Load("z"), Barrier, Load("x")],
        ],
        "r0 == 1 && r1 == 1 && r2 == 0",
    ),
    (
        &[
            &[Store("x", 1)],
            &[Load("x"), Barrier, Load("y")],
            &[Store("y", 1), Barrier, Load("x")],
        ],
        "r0 == 1 && r1 == 0 && r2 == 0",
    ),
];

impl Writer {
    fn program(&mut self) -> Program {
        let (threads, wrong) = *self.random.pick(IDIOMS);
        self.noise = self.random.below(3);
        let mut functions = Vec::new();
        // By thread, the result that it returns.
        let mut returned: Vec<Option<usize>> = Vec::new();
        for (number, steps) in threads.iter().enumerate() {
            let mut body = Vec::new();
            let hands = matches!(steps.last(), Some(Load(_))) && self.hand.chance(35);
            let stored = if hands { steps.len() - 1 } else { steps.len() };
            for step in &steps[..stored] {
                self.step(*step, &mut body);
            }
            returned.push(hands.then_some(self.registers));
            match steps[stored..] {
                [Load(variable)] => {
                    self.disturb(&mut body);
                    let value = self.load(variable);
                    body.push(line(format!("return (void *)(long){value};")));
                }
                _ => body.push(line("return 0;")),
            }
            functions.push(Function {
                head: format!("void *t{number}(void *unused)"),
                body,
            });
        }
        functions.push(Function {
            head: "int main(void)".into(),
            body: self.main(&returned, wrong),
        });
        let mut globals: Vec<String> = [
            "int z, scratch, *to = &scratch;",
            "atomic_int once, twice;",
            "int table[2];",
            "pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;",
            "struct both { short low, high; };",
        ]
        .map(String::from)
        .to_vec();
        // Variables that are accessed whole, or also by parts.
        for name in ["x", "y"] {
            globals.push(match self.random.below(4) {
                0 => format!("union {{ int whole; unsigned char part[4]; }} {name}_;"),
                1 => format!("int {name}_[2];"),
                _ => format!("int {name}_;"),
            });
            let of = globals.last().map_or("", String::as_str);
            let access = match of.as_bytes().first() {
                Some(b'u') => format!("{name}_.whole"),
                _ if of.contains('[') => format!("{name}_[z & 1]"),
                _ => format!("{name}_"),
            };
            globals.push(format!("#define {name} {access}"));
        }
        globals.push(format!("int {};", registers(self.registers.max(1))));
        Program {
            prelude: PRELUDE.into(),
            globals,
            functions,
        }
    }

    fn main(&mut self, returned: &[Option<usize>], wrong: &str) -> Vec<Statement> {
        let mut body: Vec<Statement> = Vec::new();
        let threads = returned.len();
        let names: Vec<String> = (0..threads).map(|i| format!("p{i}")).collect();
        body.push(line(format!("pthread_t {};", names.join(", "))));
        // The last thread may be main itself.
        let own = self.random.chance(15);
        for i in 0..threads - usize::from(own) {
            body.push(line(format!("pthread_create(&p{i}, 0, t{i}, 0);")));
            if self.random.chance(15) {
                self.noise(&mut body);
            }
        }
        if own {
            let result = returned[threads - 1].map(|r| format!("r{r} = (long)"));
            let result = result.unwrap_or_default();
            body.push(line(format!("{result}t{}(0);", threads - 1)));
        }
        for (i, result) in returned.iter().enumerate() {
            if own && i == threads - 1 {
                break;
            }
            body.push(line(match result {
                None => format!("pthread_join(p{i}, 0);"),
                Some(r) => format!("{{ void *v; pthread_join(p{i}, &v); r{r} = (long)v; }}"),
            }));
        }
        body.push(line(format!("assert(!({wrong}));")));
        body.push(line("return 0;"));
        body
    }

    fn step(&mut self, step: Step, body: &mut Vec<Statement>) {
        self.disturb(body);
        match step {
            Store(variable, value) => {
                let text = match self.random.below(12) {
                    0 => format!("__atomic_store_n(&{variable}, {value}, __ATOMIC_RELAXED);"),
                    1 | 2 => format!("__atomic_store_n(&{variable}, {value}, __ATOMIC_RELEASE);"),
                    3 => format!("__atomic_store_n(&{variable}, {value}, __ATOMIC_SEQ_CST);"),
                    4 => format!("__sync_lock_test_and_set(&{variable}, {value});"),
                    5 => format!(
                        "__VERIFIER_atomic_begin(); {variable} = {value}; __VERIFIER_atomic_end();"
                    ),
                    6 => format!("{{ int *here = &{variable}; *here = {value}; }}"),
                    7 => format!("((unsigned char *)&{variable})[0] = {value};"),
                    8 => format!("((struct both *)&{variable})->low = {value};"),
                    _ => format!("{variable} = {value};"),
                };
                body.push(line(text));
            }
            Load(variable) => {
                let value = self.load(variable);
                body.push(line(format!("r{} = {value};", self.registers - 1)));
            }
            Barrier => self.barrier(body),
        }
    }

    /// Value of the next result: a load of any order, or of a part.
    fn load(&mut self, variable: &str) -> String {
        self.registers += 1;
        match self.random.below(10) {
            0 => format!("__atomic_load_n(&{variable}, __ATOMIC_ACQUIRE)"),
            1 => format!("__atomic_load_n(&{variable}, __ATOMIC_SEQ_CST)"),
            2 => format!("__sync_fetch_and_add(&{variable}, 0)"),
            3 => format!("((unsigned char *)&{variable})[0]"),
            _ => variable.to_string(),
        }
    }

    /// Maybe a statement over other variables.
    fn disturb(&mut self, body: &mut Vec<Statement>) {
        if self.noise > 0 && self.random.chance(30) {
            self.noise -= 1;
            self.noise(body);
        }
    }

    /// Something that may drain the buffer or keep stores in order, or nothing.
    fn barrier(&mut self, body: &mut Vec<Statement>) {
        let text = match self.random.below(24) {
            0..6 => return,
            6..8 => "atomic_thread_fence(memory_order_seq_cst);",
            8 => "__sync_synchronize();",
            9 => "atomic_thread_fence(memory_order_acquire);",
            10..12 => "atomic_thread_fence(memory_order_release);",
            12 => "atomic_thread_fence(memory_order_acq_rel);",
            13 => "atomic_fetch_add_explicit(&once, 1, memory_order_relaxed);",
            14 => "{ int none = 7; atomic_compare_exchange_strong(&once, &none, 8); }",
            15 => "pthread_mutex_lock(&m); pthread_mutex_unlock(&m);",
            16 => "if (!pthread_mutex_trylock(&m)) pthread_mutex_unlock(&m);",
            17 => "__VERIFIER_atomic_begin(); __VERIFIER_atomic_end();",
            18 => "{ atomic_int own = 0; atomic_fetch_add(&own, 1); }",
            19 => "atomic_store(&twice, 1);",
            20 => "atomic_store_explicit(&twice, 1, memory_order_release);",
            21 => "scratch = 1;",
            22 => "{ pthread_mutex_t own = PTHREAD_MUTEX_INITIALIZER; pthread_mutex_lock(&own); }",
            _ => "atomic_load(&once);",
        };
        let barrier = guard("{", vec![], format!("{text} }}"));
        if self.random.chance(20) {
            let condition = self.random.pick(&["scratch == 0", "once == 0", "z == 0"]);
            body.push(block(format!("if ({condition})"), vec![barrier]));
        } else {
            body.push(barrier);
        }
    }

    /// A statement over other variables.
    fn noise(&mut self, body: &mut Vec<Statement>) {
        let text = match self.random.below(8) {
            0 => "scratch = 2;",
            1 => "{ int seen = z; if (seen) scratch = 3; }",
            2 => "*to = 4;",
            3 => "table[z & 1] = 5;",
            4 => "if (z) __atomic_thread_fence(__ATOMIC_SEQ_CST);",
            5 => "{ short local = 1; short *there = &local; *there = 2; }",
            6 => "{ int *fresh = malloc(sizeof *fresh); *fresh = 1; to = fresh; }",
            _ => "z = 0;",
        };
        body.push(line(text));
    }
}

/// Names of results, separated by commas.
fn registers(count: usize) -> String {
    let names: Vec<String> = (0..count).map(|i| format!("r{i}")).collect();
    names.join(", ")
}
