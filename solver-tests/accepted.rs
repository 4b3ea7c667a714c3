//! Random programs of the subset that unbounded verification accepts.
//!
//! They have two or three threads with finite loops (and, now and then, one that waits), arrays, a mutex, atomic
//! sections and updates, inputs, calls, joins, allocated memory, values that are published by flags, and assertions that hold as often as not.

mod joined;

use crate::random::Random;
use crate::text::Text;

/// A program.
pub fn generate(seed: u64) -> String {
    written(seed, false)
}

/// A program whose main joins threads one by one and does more between its joins.
pub fn generate_joined(seed: u64) -> String {
    written(seed, true)
}

fn written(seed: u64, joined: bool) -> String {
    let mut writer = Writer {
        random: Random::new(seed),
        text: Text::default(),
        loops: 0,
        threads: 0,
        publisher: None,
        heap: false,
    };
    writer.program(joined);
    writer.text.into_string()
}

struct Writer {
    random: Random,
    text: Text,
    loops: u32,
    threads: usize,
    /// The thread whose code this is, if threads publish values.
    publisher: Option<usize>,
    /// Main allocates memory that all use.
    heap: bool,
}

impl Writer {
    fn program(&mut self, joined: bool) {
        self.text.lines(
            "#include <assert.h>\n#include <pthread.h>\n#include <stdlib.h>\nextern unsigned char __VERIFIER_nondet_uchar(void);\n\
             extern void __VERIFIER_assume(int);\nextern void __VERIFIER_atomic_begin(void);\n\
             extern void __VERIFIER_atomic_end(void);\n",
        );
        let ty = self
            .random
            .pick(&["int", "unsigned char", "short", "unsigned"]);
        self.text.line(0, &format!("{ty} x, y = 1, z;"));
        self.text.line(0, &format!("{ty} a[3] = {{ 1, 2 }};"));
        self.text.line(0, "_Bool b;");
        self.heap = self.random.below(3) == 0;
        if self.heap {
            self.text.line(0, &format!("{ty} *h;"));
        }
        self.text.line(
            0,
            "pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;",
        );
        self.text.line(
            0,
            &format!("static {ty} more({ty} v) {{ if (v > 2) return v - 1; return v + 1; }}"),
        );
        self.text.line(
            0,
            "static void raise(void) { x = x + 1; if (x > 3) x = 0; }",
        );
        let threads = 1 + self.random.below(3).min(1) + usize::from(self.random.below(6) == 0);
        self.threads = threads;
        let publish = self.random.below(2) == 0;
        if publish {
            self.text.line(0, &format!("{ty} p[3] = {{ 0, 2 }};"));
            self.text.line(0, "_Bool d[3];");
        }
        for thread in 0..threads {
            self.publisher = publish.then_some(thread);
            self.text.line(0, &format!("void *t{thread}(void *arg) {{"));
            self.text.line(1, "int l = (int)(long)arg, k = 0;");
            if self.random.below(4) == 0 {
                self.text.line(1, "int *p = &k;");
                self.text.line(1, "*p = l;");
            }
            for _ in 0..2 + self.random.below(3) {
                self.statement(1, false);
            }
            self.text.line(1, "return (void *)(long)l;");
            self.text.line(0, "}");
        }
        self.publisher = publish.then_some(threads);
        self.text.line(0, "int main(void) {");
        self.text.line(1, "int l = 0, k = 1;");
        self.text.line(1, "pthread_t t[3];");
        self.text.line(1, "void *r;");
        if self.random.below(2) == 0 {
            self.text.line(1, "x = 2;");
        }
        if self.heap {
            match self.random.below(3) {
                0 => {
                    self.text.line(1, "h = malloc(2 * sizeof *h);");
                    self.text.line(1, "h[0] = 1; h[1] = x;");
                }
                1 => self.text.line(1, "h = calloc(2, sizeof *h);"),
                _ => {
                    self.text
                        .line(1, &format!("h = calloc(1, sizeof({ty}[2]) + 1);"));
                    self.text.line(1, "h[1] = 2;");
                }
            }
        }
        if self.random.below(3) == 0 {
            self.text
                .line(1, &format!("for (int i = 0; i < {threads}; i++) a[i] = i;"));
        }
        if joined {
            self.create_and_join(threads);
        } else {
            self.end(threads);
        }
        self.text.line(1, "return 0;");
        self.text.line(0, "}");
    }

    /// Statements of main from the first creation on.
    fn end(&mut self, threads: usize) {
        for thread in 0..threads {
            let arg = self.random.below(3);
            self.text.line(
                1,
                &format!("pthread_create(&t[{thread}], 0, t{thread}, (void *){arg});"),
            );
            if self.random.below(4) == 0 {
                self.statement(1, false);
            }
        }
        for _ in 0..self.random.below(2) {
            self.statement(1, false);
        }
        match self.random.below(3) {
            0 => {
                self.text.line(
                    1,
                    &format!("for (int i = 0; i < {threads}; i++) pthread_join(t[i], 0);"),
                );
                self.assertion(1);
                if self.heap && self.random.below(2) == 0 {
                    self.text.line(1, "free(h);");
                }
            }
            1 => {
                self.text.line(1, "pthread_join(t[0], &r);");
                self.text.line(1, "l = (int)(long)r;");
                self.assertion(1);
            }
            _ => self.assertion(1),
        }
    }

    fn value(&mut self) -> String {
        match self.random.below(12) {
            0..2 => self.random.below(4).to_string(),
            2..6 => self.random.pick(&["x", "y", "z"]).to_string(),
            6..8 => self.random.pick(&["l", "k"]).to_string(),
            8 if self.heap => format!("h[{}]", self.random.below(2)),
            8 => format!("a[{}]", self.random.below(3)),
            9 => "a[(unsigned)l % 3]".to_string(),
            10 => "b".to_string(),
            _ => format!("more({})", self.random.pick(&["x", "l", "z"])),
        }
    }

    fn expression(&mut self) -> String {
        let left = self.value();
        if self.random.below(2) == 0 {
            return left;
        }
        let op = self.random.pick(&["+", "-", "*", "&", "^", "|"]);
        format!("{left} {op} {}", self.value())
    }

    fn condition(&mut self) -> String {
        let left = self.value();
        let op = self.random.pick(&["==", "!=", "<", ">=", ">"]);
        format!("{left} {op} {}", self.value())
    }

    fn assertion(&mut self, depth: usize) {
        let text = match self.random.below(4) {
            0 => format!("assert({});", self.condition()),
            1 => format!(
                "assert({} <= {});",
                self.random.pick(&["x", "y", "z"]),
                1 + self.random.below(6)
            ),
            _ => format!("assert({} || {});", self.condition(), self.condition()),
        };
        self.text.line(depth, &text);
    }

    /// Threads write values of their own, set flags that are seldom reset, and read what others have published.
    fn publish(&mut self, depth: usize, within: bool, own: usize) {
        let other = self.random.below(self.threads);
        let text = match self.random.below(12) {
            0..2 if own < self.threads => format!("p[{own}] = {};", self.expression()),
            2 if own < self.threads => format!("p[{own}] += p[{other}];"),
            3..6 if own < self.threads => format!("d[{own}] = 1;"),
            6 if own < self.threads && self.random.below(3) == 0 => format!("d[{own}] = 0;"),
            7 if !within && self.loops < 3 => {
                self.loops += 1;
                format!("while (!d[{other}]) {{ }}")
            }
            8 => format!("if (d[{other}]) {{ l = p[{other}]; assert(l == p[{other}]); }}"),
            9 => format!(
                "assert(!d[{other}] || p[{other}] < {});",
                1 + self.random.below(4)
            ),
            10 => format!("if (d[{other}]) l = p[{other}];"),
            _ => format!("l = p[{other}] + l;"),
        };
        self.text.line(depth, &text);
    }

    /// Threads write to what main has allocated, to what they allocate, and now and then free it.
    fn allocated(&mut self, depth: usize, within: bool) {
        let value = self.expression();
        let text = match self.random.below(10) {
            0..4 => format!("h[{}] = {value};", self.random.below(2)),
            4 => format!("h[(unsigned)k % 2] += {value};"),
            5 => "((unsigned char *)h)[0] = 3;".to_string(),
            6 if !within && self.random.below(3) == 0 => "free(h);".to_string(),
            7 => format!("l = h ? h[{}] : 0;", self.random.below(2)),
            8 if !within => {
                format!(
                    "{{ int *own = malloc(sizeof(int)); *own = {value}; l = *own; free(own); }}"
                )
            }
            _ => format!(
                "assert(h[0] <= {} || h[1] != {value});",
                self.random.below(4)
            ),
        };
        self.text.line(depth, &text);
    }

    fn statement(&mut self, depth: usize, within: bool) {
        if depth > 3 {
            let value = self.expression();
            return self.text.line(depth, &format!("l = {value};"));
        }
        if let Some(own) = self.publisher
            && self.random.below(3) == 0
        {
            return self.publish(depth, within, own);
        }
        if self.heap && self.random.below(5) == 0 {
            return self.allocated(depth, within);
        }
        match self.random.below(24) {
            0..5 => {
                let place = self
                    .random
                    .pick(&["x", "y", "z", "a[1]", "a[(unsigned)k % 3]", "b"]);
                let value = self.expression();
                self.text.line(depth, &format!("{place} = {value};"));
            }
            5..7 => {
                let place = self.random.pick(&["l", "k"]);
                let value = self.expression();
                self.text.line(depth, &format!("{place} = {value};"));
            }
            7 => {
                let update = self
                    .random
                    .pick(&["x++", "y += 2", "z--", "k++", "l = y++", "raise()"]);
                self.text.line(depth, &format!("{update};"));
            }
            8 => {
                let place = self.random.pick(&["x", "y", "z"]);
                let update = match self.random.below(3) {
                    0 => format!("__sync_fetch_and_add(&{place}, 1);"),
                    1 => format!(
                        "l = __sync_val_compare_and_swap(&{place}, {}, 3);",
                        self.random.below(3)
                    ),
                    _ => format!("k = __sync_lock_test_and_set(&{place}, 2);"),
                };
                self.text.line(depth, &update);
            }
            9..12 => {
                let condition = self.condition();
                self.text.line(depth, &format!("if ({condition}) {{"));
                self.statement(depth + 1, within);
                if self.random.below(2) == 0 {
                    self.text.line(depth, "} else {");
                    self.statement(depth + 1, within);
                }
                self.text.line(depth, "}");
            }
            12 if !within && self.loops < 3 => {
                self.loops += 1;
                let count = 1 + self.random.below(3);
                self.text
                    .line(depth, &format!("for (int i = 0; i < {count}; i++) {{"));
                self.statement(depth + 1, within);
                self.statement(depth + 1, within);
                self.text.line(depth, "}");
            }
            13 if !within && self.loops < 3 => {
                self.loops += 1;
                let place = self.random.pick(&["x == 0", "!b", "y > 1"]);
                self.text.line(depth, &format!("while ({place}) {{ }}"));
            }
            14 => {
                let condition = self.condition();
                self.text
                    .line(depth, &format!("__VERIFIER_assume({condition});"));
            }
            15 => {
                let place = self.random.pick(&["l", "k", "x"]);
                self.text
                    .line(depth, &format!("{place} = __VERIFIER_nondet_uchar() % 3;"));
            }
            16..18 if !within => {
                self.text.line(depth, "__VERIFIER_atomic_begin();");
                self.statement(depth + 1, true);
                self.statement(depth + 1, true);
                self.text.line(depth, "__VERIFIER_atomic_end();");
            }
            18..21 if !within => {
                let mutex = self.random.pick(&["m", "m", "n"]);
                match self.random.below(5) {
                    0 => {
                        self.text
                            .line(depth, &format!("if (!pthread_mutex_trylock(&{mutex})) {{"));
                        self.statement(depth + 1, false);
                        self.text
                            .line(depth + 1, &format!("pthread_mutex_unlock(&{mutex});"));
                        self.text.line(depth, "}");
                    }
                    _ => {
                        self.text
                            .line(depth, &format!("pthread_mutex_lock(&{mutex});"));
                        self.statement(depth, false);
                        self.statement(depth, false);
                        self.text
                            .line(depth, &format!("pthread_mutex_unlock(&{mutex});"));
                    }
                }
            }
            21 => {
                let (left, right) = (self.value(), self.value());
                self.text.line(depth, &format!("l = {left} / ({right});"));
            }
            // A register gets a constant that it may have already, on one of two ways.
            22 if self.random.below(2) == 0 => {
                let (first, second) = (self.condition(), self.condition());
                let one = 1 + self.random.below(2);
                let two = 3 - one;
                for line in [
                    &format!("if ({first}) {{ k = 1; z = 2; }} else {{ k = 2; z = 1; }}"),
                    &format!("if ({second}) {{ l = (x + k) & 3; k = {one}; }}"),
                    &format!("else {{ l = (y + k) | 4; k = {two}; }}"),
                    "z = l;",
                    &format!("assert(k == {one} || (l & 4));"),
                ] {
                    self.text.line(depth, line);
                }
            }
            _ => self.assertion(depth),
        }
    }
}
