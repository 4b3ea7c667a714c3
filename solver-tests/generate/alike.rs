//! Random programs of equal threads: two to four that one loop of main starts, sometimes with another one beside them, and near misses: a
//! number as argument, ids that are looked at, creations and joins with something between. Some allocate memory, or turn in a loop
//! longer than bounds let them.

use super::PRELUDE;
use crate::program::{Function, Program, Statement, block, guard, line};
use crate::random::Random;

/// The program of a seed.
pub fn generate(seed: u64) -> Program {
    let mut writer = Writer {
        random: Random::new(seed ^ 0x616c_696b_6500),
        numbered: false,
    };
    writer.program()
}

const GLOBALS: [&str; 5] = [
    "unsigned char x, y, c;",
    "unsigned char *q;",
    "_Thread_local unsigned char own;",
    "pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;",
    "pthread_t id[5];",
];

struct Writer {
    random: Random,
    /// Threads know their number, `k`.
    numbered: bool,
}

impl Writer {
    fn pick(&mut self, all: &[&str]) -> String {
        self.random.pick(all).to_string()
    }

    fn plain(&mut self) -> Statement {
        let numbered = self.numbered && self.random.chance(60);
        line(match (numbered, self.random.below(19)) {
            (true, 0..=5) => "x = k;".into(),
            (true, 6..=11) => "if (x == k) y++;".into(),
            (true, _) => "y = k;".into(),
            (_, 0 | 1) => "x++;".into(),
            (_, 2) => "t = x;".into(),
            (_, 3) => "x = t + 1;".into(),
            (_, 4) => "y = x;".into(),
            (_, 5) => "if (t == 1) x = 2;".into(),
            (_, 6 | 7) => "if (t == 0) y = 1;".into(),
            (_, 8) => "if (__VERIFIER_nondet_bool()) x = 1;".into(),
            (_, 9) => "t = __VERIFIER_nondet_bool();".into(),
            (_, 10) => "own += x; t = own;".into(),
            (_, 11) => "__VERIFIER_assume(x < 2);".into(),
            (_, 12) => "for (unsigned char i = 0; i < y; i++) t += x;".into(),
            (_, 13) => "q = calloc(1, 1);".into(),
            (_, 14) => "if (q) t = *q;".into(),
            (_, 15) => "{ unsigned char *p = q; if (p) { t = *p; *p = t + 1; } }".into(),
            (_, 16) => "{ unsigned char *p = malloc(1); *p = x; x = *p + 1; free(p); }".into(),
            _ => format!(
                "assert({} != {});",
                self.pick(&["x", "y", "t"]),
                1 + self.random.below(3)
            ),
        })
    }

    fn statement(&mut self) -> Statement {
        let count = 1 + self.random.below(2);
        match self.random.below(10) {
            0 | 1 => {
                let body = (0..count).map(|_| self.plain()).collect();
                guard("pthread_mutex_lock(&m);", body, "pthread_mutex_unlock(&m);")
            }
            2 | 3 => guard(
                "__VERIFIER_atomic_begin();",
                vec![line("t = c;"), line("c++;")],
                "__VERIFIER_atomic_end();",
            ),
            4 => block("if (t == 0)", vec![self.plain()]),
            _ => self.plain(),
        }
    }

    fn body(&mut self, statements: usize) -> Vec<Statement> {
        let mut body = vec![line("unsigned char t = 0;")];
        body.extend((0..statements).map(|_| self.statement()));
        body
    }

    fn program(&mut self) -> Program {
        let threads = 2 + self.random.below(3);
        let most = 5 - threads;
        let statements = 1 + self.random.below(most);
        self.numbered = self.random.chance(15);
        let mut worker = self.body(statements + usize::from(threads < 4));
        worker.insert(
            1,
            line("unsigned char k = (unsigned char)(unsigned long)arg;"),
        );
        if self.random.chance(5) {
            worker.push(line("if (pthread_equal(pthread_self(), id[0])) x = 3;"));
        }
        worker.push(line(self.pick(&[
            "return 0;",
            "return 0;",
            "return (void *)(unsigned long)t;",
        ])));
        let function = |head: &str, body| Function {
            head: head.into(),
            body,
        };
        let mut functions = vec![function("void *worker(void *arg)", worker)];
        let other = self.random.chance(30).then(|| {
            let mut body = self.body(1);
            body.push(line("return 0;"));
            functions.push(function("void *other(void *k)", body));
            self.random.below(threads + 1)
        });
        let main = self.main(threads, other);
        functions.push(function("int main(void)", main));
        let mut globals: Vec<String> = GLOBALS.iter().map(|one| (*one).into()).collect();
        if !self.numbered {
            globals.push("enum { k = 1 };".into());
            functions[0].body.remove(1);
        }
        Program {
            prelude: PRELUDE.into(),
            globals,
            functions,
        }
    }

    fn main(&mut self, threads: usize, other: Option<usize>) -> Vec<Statement> {
        let mut body = vec![line("void *r; unsigned char t = 0;")];
        let odd = self.random.chance(15).then(|| self.random.below(threads));
        for thread in 0..=threads {
            if other == Some(thread) {
                body.push(line("pthread_create(&id[4], 0, other, 0);"));
            }
            if thread == threads {
                break;
            }
            if odd == Some(thread) {
                body.push(line(self.pick(&[
                    "x = 1;",
                    "t = y;",
                    "if (y) x = 2;",
                    "assert(x != 2);",
                ])));
            }
            let argument = match self.numbered {
                true => format!("(void *){}", 1 + self.random.below(3)),
                false => "0".into(),
            };
            body.push(line(format!(
                "pthread_create(&id[{thread}], 0, worker, {argument});"
            )));
        }
        let joined = match self.random.below(8) {
            0 => 0,
            1 => threads - 1,
            _ => threads,
        };
        let between = self.random.chance(20).then(|| self.random.below(threads));
        let backwards = self.random.chance(20);
        let asks = self.random.chance(10);
        for place in 0..joined {
            let thread = if backwards {
                threads - 1 - place
            } else {
                place
            };
            if between == Some(place) {
                body.push(line(self.pick(&[
                    "assert(y);",
                    "assert(x != 1);",
                    "x = 0;",
                    "t = x;",
                ])));
            }
            let result = if asks { "&r" } else { "0" };
            body.push(line(format!("pthread_join(id[{thread}], {result});")));
            if asks && self.random.chance(50) {
                body.push(line("assert(r != (void *)1);"));
            }
        }
        let (left, bound) = (self.pick(&["x", "y", "c", "x + y"]), self.random.below(5));
        let relation = self.pick(&["<=", "!=", "!=", ">="]);
        body.push(line(format!("assert({left} {relation} {bound});")));
        body.push(line("return 0;"));
        body
    }
}
