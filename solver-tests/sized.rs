//! Random programs with arrays whose sizes are inputs: threads walk over them, read and write elements and parts of these,
//! within bounds and now and then outside, and free them.

use crate::oracle::ILP32;
use crate::random::Random;
use crate::text::Text;

/// A program.
pub fn generate(seed: u64) -> String {
    let mut writer = Writer {
        random: Random::new(seed ^ 0x517e_d0a5),
        text: Text::default(),
        loops: 0,
        frees: false,
    };
    writer.program();
    writer.text.into_string()
}

struct Writer {
    random: Random,
    text: Text,
    loops: u32,
    /// Somebody has freed the array.
    frees: bool,
}

impl Writer {
    fn program(&mut self) {
        if self.random.below(2) == 0 {
            self.text.line(0, ILP32);
        }
        self.text.lines(
            "#include <assert.h>\n#include <pthread.h>\n#include <stdlib.h>\n#include <string.h>\n\
             extern unsigned char __VERIFIER_nondet_uchar(void);\nextern void __VERIFIER_assume(int);\n\
             extern void __VERIFIER_atomic_begin(void);\nextern void __VERIFIER_atomic_end(void);\n",
        );
        let ty = self
            .random
            .pick(&["int", "unsigned char", "short", "unsigned"]);
        self.text.line(0, &format!("typedef {ty} T;"));
        self.text.line(0, "T *a, x, y = 1;");
        self.text.line(0, "int n;");
        self.text
            .line(0, "pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;");
        self.text
            .line(0, "static T other(T *p, int k) { return p[k] + 1; }");
        let threads = 1 + usize::from(self.random.below(3) == 0);
        for thread in 0..threads {
            self.text.line(0, &format!("void *t{thread}(void *arg) {{"));
            self.text.line(1, "T l = 0; int k = (int)(long)arg;");
            for _ in 0..1 + self.random.below(3) {
                self.statement(1);
            }
            self.text.line(1, "return 0;");
            self.text.line(0, "}");
        }
        self.text.line(0, "int main(void) {");
        self.text.line(1, "T l = 0; int k = 1;");
        self.text.line(1, "pthread_t t[2];");
        let most = 2 + self.random.below(2);
        self.text
            .line(1, &format!("n = __VERIFIER_nondet_uchar() % {most};"));
        if self.random.below(3) > 0 {
            self.text.line(1, "__VERIFIER_assume(n > 0);");
        }
        let size = self.random.pick(&["n", "n", "n", "n + 1", "2 * n"]);
        match self.random.below(3) {
            0 => self
                .text
                .line(1, &format!("a = malloc(({size}) * sizeof(T));")),
            _ => self
                .text
                .line(1, &format!("a = calloc({size}, sizeof(T));")),
        }
        match self.random.below(4) {
            0 => self.text.line(
                1,
                "for (int i = 0; i < n; i++) a[i] = __VERIFIER_nondet_uchar() & 1;",
            ),
            1 => self
                .text
                .line(1, "for (int i = 0; i < n; i++) a[i] = i & 1;"),
            2 => self.statement(1),
            _ => {}
        }
        for thread in 0..threads {
            let arg = self.random.below(2);
            self.text.line(
                1,
                &format!("pthread_create(&t[{thread}], 0, t{thread}, (void *){arg});"),
            );
        }
        if self.random.below(2) == 0 {
            self.statement(1);
        }
        if self.random.below(2) == 0 {
            self.text.line(1, "pthread_join(t[0], 0);");
            self.statement(1);
            if self.random.below(3) == 0 {
                self.text.line(1, "free(a);");
            }
        }
        self.text.line(1, "return 0;");
        self.text.line(0, "}");
    }

    /// An index that is mostly within bounds.
    fn index(&mut self) -> String {
        let most = if self.random.below(6) == 0 { 5 } else { 3 };
        self.random
            .pick(&["k", "0", "n - 1", "n", "1"][..most])
            .to_string()
    }

    fn value(&mut self) -> String {
        match self.random.below(8) {
            0..3 => self.random.below(3).to_string(),
            3 => format!("a[{}]", self.index()),
            4 => "other(a, 0)".to_string(),
            _ => self.random.pick(&["x", "y", "l"]).to_string(),
        }
    }

    fn assertion(&mut self, depth: usize) {
        let index = self.index();
        let bound = self.random.below(4);
        let text = match self.random.below(5) {
            0 => format!("assert(a[{index}] <= {bound} || x);"),
            1 => format!("assert(a[{index}] == a[{index}]);"),
            2 => format!("assert(x <= {bound} + 1);"),
            3 => format!("assert(l <= {bound} + 2 || y != {bound});"),
            _ => format!("assert(n > {bound} || n <= 3);"),
        };
        self.text.line(depth, &text);
    }

    fn statement(&mut self, depth: usize) {
        let (index, again, value) = (self.index(), self.index(), self.value());
        let text = match self.random.below(20) {
            0..4 if self.loops < 4 && depth < 3 => {
                self.loops += 1;
                let end = if self.random.below(8) == 0 { "<=" } else { "<" };
                let open = match self.random.below(4) {
                    0 => format!("for (T *p = a; p {end} a + n; p++) {{ k = p - a;"),
                    _ => format!("for (k = 0; k {end} n; k++) {{"),
                };
                self.text.line(depth, &open);
                for _ in 0..1 + self.random.below(2) {
                    self.statement(depth + 1);
                }
                "}".to_string()
            }
            4..6 if depth < 3 => {
                let test = self.random.pick(&["k < n", "k < n", "a[0] == 1", "x == y"]);
                self.text.line(depth, &format!("if ({test}) {{"));
                self.statement(depth + 1);
                self.statement(depth + 1);
                "}".to_string()
            }
            6..9 => format!("a[{index}] = {value};"),
            9 => format!(
                "a[{index}] = {value}; assert(a[{again}] != 9 && a[{index}] == a[{again}] || {index} != {again});"
            ),
            10 => format!("l = a[{index}] + a[{again}];"),
            11 => format!(
                "((unsigned char *)(a + {index}))[{}] = 1;",
                self.random.below(2)
            ),
            12 => format!(
                "l = a[{index}]; a[{again}] = {value}; assert(a[{index}] == l || {index} == {again} || x || y);"
            ),
            13 => format!("__sync_fetch_and_add(&a[{index}], 1);"),
            14 if self.random.below(4) == 0 && !self.frees => {
                self.frees = true;
                "free(a);".to_string()
            }
            14 => format!("{{ T *p = a + {index}; *p = {value}; x = *p; }}"),
            15 => format!(
                "{{ T v[n + 1]; v[0] = {value}; v[{index}] = 2; l = v[0]; assert(l == v[0]); }}"
            ),
            16 => format!(
                "pthread_mutex_lock(&m); a[{index}] = 2; x = a[{index}]; assert(x == 2); pthread_mutex_unlock(&m);"
            ),
            17 => format!("x = {value};"),
            18 => format!(
                "__VERIFIER_atomic_begin(); l = a[{index}]; y = a[{index}]; assert(l == y); __VERIFIER_atomic_end();"
            ),
            _ => return self.assertion(depth),
        };
        self.text.line(depth, &text);
    }
}
