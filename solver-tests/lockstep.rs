//! Unbounded verification in lockstep against the enumeration of all executions: on random programs whose threads loop
//! independently of each other, more or less, and on those of the other strategies.

use crate::random::Random;
use crate::text::Text;

/// A program whose threads count on their own: in globals and locals of their own, over an array that nobody changes; main counts, too,
/// and compares when it has joined them. Now and then something depends on something else after all.
pub fn generate(seed: u64) -> String {
    let mut random = Random::new(seed ^ 0x10c5_7e9d);
    let strays = [0, 8, 20][random.below(3)];
    let mut writer = Writer {
        random,
        text: Text::default(),
        threads: 2,
        own: 0,
        loops: 0,
        strays,
    };
    writer.program();
    writer.text.into_string()
}

struct Writer {
    random: Random,
    text: Text,
    threads: usize,
    /// The thread whose code this is; main is the last.
    own: usize,
    loops: u32,
    /// Statements of 100 that depend on others.
    strays: usize,
}

impl Writer {
    fn program(&mut self) {
        self.text.lines(
            "#include <assert.h>\n#include <pthread.h>\n#include <stdlib.h>\n\
             extern unsigned char __VERIFIER_nondet_uchar(void);\nextern void __VERIFIER_assume(int);\n\
             extern void __VERIFIER_atomic_begin(void);\nextern void __VERIFIER_atomic_end(void);\n\
             typedef unsigned char T;\nT n, c, v0, v1, v2, v3, *h, b;\n_Bool d;\n\
             pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\n",
        );
        self.threads = 2 + usize::from(self.random.chance(20));
        for thread in 0..self.threads {
            self.own = thread;
            self.text.line(0, &format!("void *t{thread}(void *arg) {{"));
            self.text.line(1, "T l = (T)(long)arg, k = 0;");
            self.loops = 0;
            if self.random.chance(20) {
                self.statement(1);
            }
            self.repeat(1);
            if self.random.chance(30) {
                self.statement(1);
            }
            if self.random.chance(10) {
                self.repeat(1);
            }
            self.text.line(1, "return (void *)(long)l;");
            self.text.line(0, "}");
        }
        self.own = self.threads;
        self.main();
    }

    fn main(&mut self) {
        self.text.line(0, "int main(void) {");
        self.text
            .line(1, "T l = 0, k = 0; void *r; pthread_t t[3];");
        let most = 2 + self.random.below(2);
        self.text
            .line(1, &format!("n = __VERIFIER_nondet_uchar() % {most};"));
        // With many offsets, what is in the array is abstracted.
        if self.random.chance(60) {
            self.text
                .line(1, "b = (__VERIFIER_nondet_uchar() & 1) * 100;");
        }
        let fills = match self.random.below(4) {
            0 => {
                self.text.line(1, "h = malloc(70000);");
                "2"
            }
            1 => {
                self.text.line(1, "h = malloc(b + n + 2);");
                "n + 2"
            }
            _ => {
                self.text.line(1, "h = malloc(b + n + 1);");
                "n"
            }
        };
        let value = self.random.pick(&[
            "__VERIFIER_nondet_uchar() & 1",
            "__VERIFIER_nondet_uchar() & 1",
            "k & 1",
        ]);
        if self.random.chance(85) {
            self.text.line(
                1,
                &format!("for (k = 0; k < {fills}; k++) h[b + k] = {value};"),
            );
        }
        for thread in 0..self.threads {
            let arg = self.random.below(2);
            self.text.line(
                1,
                &format!("pthread_create(&t[{thread}], 0, t{thread}, (void *){arg});"),
            );
            if self.random.chance(15) {
                self.statement(1);
            }
        }
        self.loops = 0;
        if self.random.chance(35) {
            self.repeat(1);
        }
        let unsure = self
            .random
            .chance(self.strays)
            .then(|| self.random.below(self.threads));
        for thread in 0..self.threads {
            let join = match self.random.below(4) {
                0 => format!("pthread_join(t[{thread}], &r); l = (T)(long)r;"),
                _ => format!("pthread_join(t[{thread}], 0);"),
            };
            if unsure == Some(thread) {
                let test = self.random.pick(&["c", "n > 1", "v0 == 1", "d"]);
                self.text.line(1, &format!("if ({test}) {{ {join} }}"));
            } else if self.random.chance(92) {
                self.text.line(1, &join);
            }
            if self.random.chance(15) {
                self.statement(1);
            }
        }
        self.compare(1);
        if self.random.chance(30) {
            self.compare(1);
        }
        self.text.line(1, "return 0;");
        self.text.line(0, "}");
    }

    /// What main compares when others have counted.
    fn compare(&mut self, depth: usize) {
        let other = self.random.below(self.threads);
        let text = match self.random.below(8) {
            0..3 => "assert(v0 == v1);".to_string(),
            3 => "assert(v0 <= v1);".to_string(),
            4 => format!("assert(v{other} <= n);"),
            5 => format!("assert(v{other} <= {});", self.random.below(5)),
            6 => format!("assert(v{other} == l || c);"),
            _ => format!("assert(v{other} == n);"),
        };
        self.text.line(depth, &text);
    }

    /// A loop.
    fn repeat(&mut self, depth: usize) {
        self.loops += 1;
        let own = self.own;
        let open = match self.random.below(8) {
            0..4 => "for (k = 0; k < n; k++) {".to_string(),
            4 | 5 => format!("while (v{own} < n) {{"),
            6 => "while (l < 2) {".to_string(),
            _ => "while (1) {".to_string(),
        };
        self.text.line(depth, &open);
        for _ in 0..self.random.below(3) {
            self.statement(depth + 1);
        }
        let step = match self.random.below(6) {
            0 => format!("v{own} = (v{own} + 1) % 3;"),
            1 => format!("v{own} += h[b + k]; l++;"),
            2 => format!("if (h[b + k]) v{own}++; l = 2;"),
            _ => format!("v{own}++; l++;"),
        };
        // Whoever loops for ever does not count for ever, so that its states can be enumerated.
        let step = if open.starts_with("while (1)") {
            format!("v{own} = (v{own} + 1) % 3; l = 1;")
        } else {
            step
        };
        self.text.line(depth + 1, &step);
        self.text.line(depth, "}");
    }

    fn statement(&mut self, depth: usize) {
        if self.random.chance(self.strays) {
            return self.stray(depth);
        }
        let own = self.own;
        let text = match self.random.below(12) {
            0 => format!("if (v{own} > 1) l = v{own};"),
            1 => "l = h[b + (k & 1)];".to_string(),
            2 => format!("v{own} = h[b + k] + (v{own} & 3);"),
            3 => "l = __VERIFIER_nondet_uchar() & 1;".to_string(),
            4 => format!("v{own} = __VERIFIER_nondet_uchar() & 1;"),
            5 => format!("__VERIFIER_assume(v{own} < 4);"),
            6 => format!("assert(v{own} <= {});", 1 + self.random.below(4)),
            7 if depth < 3 && self.loops < 2 => return self.repeat(depth),
            8 => "if (h[b + (k & 1)] != l) l = 0;".to_string(),
            9 => format!("v{own} = (v{own} + n) & 3;"),
            10 => format!("v{own} = n;"),
            _ => "l = (l + 1) & 1;".to_string(),
        };
        self.text.line(depth, &text);
    }

    /// A statement that depends on others.
    fn stray(&mut self, depth: usize) {
        let own = self.own;
        let other = self.random.below(self.threads);
        let text = match self.random.below(20) {
            0 => format!("c = v{own} & 1;"),
            1 => "c = 1;".to_string(),
            2 => "c = (c + 1) & 1;".to_string(),
            3 => format!("v{own} = c;"),
            4 => format!("l = v{other};"),
            5 => format!("v{other} = {};", self.random.below(2)),
            6 => "d = 1;".to_string(),
            7 => "while (!d) { }".to_string(),
            8 => "if (d) l = c;".to_string(),
            9 => "h[b + k] = 1;".to_string(),
            10 => "h[b + (k & 1)] = c;".to_string(),
            11 => "pthread_mutex_lock(&m); c = !c; pthread_mutex_unlock(&m);".to_string(),
            12 => format!("pthread_mutex_lock(&m); v{own} = c; pthread_mutex_unlock(&m);"),
            13 => "__VERIFIER_atomic_begin(); c = 1; c = 0; __VERIFIER_atomic_end();".to_string(),
            14 => {
                format!("__VERIFIER_atomic_begin(); if (!c) v{own} = 1; __VERIFIER_atomic_end();")
            }
            15 => "l = h[b + (c & 1)];".to_string(),
            16 => format!("v{own} = h[b + (c & 1)];"),
            17 => format!("assert(v{other} <= {});", self.random.below(3)),
            18 => format!("n = n > {} ? n - 1 : 0;", self.random.below(2)),
            _ => "assert(!c);".to_string(),
        };
        self.text.line(depth, &text);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::beside;
    use crate::modular::{Said, Way, compare_within, tally};
    use std::path::PathBuf;

    /// The programs of `lockstep/`, with their names.
    fn named() -> Vec<(String, String)> {
        let read = |path: &PathBuf| {
            let name = path.file_name().unwrap_or_default();
            (name.to_string_lossy().into_owned(), beside::text(path))
        };
        beside::files("lockstep", "c").iter().map(read).collect()
    }

    #[test]
    fn named_programs_are_decided() {
        for (name, text) in named() {
            let said = compare_within(60, &text, Way::Lockstep).unwrap();
            let is_proved = text.lines().next() == Some("// proved");
            assert_eq!(said == Said::Proved, is_proved, "{name}");
        }
    }

    fn count() -> u64 {
        crate::tier::programs(60)
    }

    #[test]
    fn lockstep_agrees_with_the_enumeration() {
        let all = tally(&generate, count(), Way::Lockstep);
        for said in [Said::Proved, Said::Violated] {
            let number = all.iter().filter(|one| **one == said).count();
            assert!(5 * number >= all.len(), "few are {said:?}");
        }
    }

    #[test]
    fn lockstep_agrees_with_the_enumeration_on_programs_of_the_other_strategies() {
        let generators = [
            crate::accepted::generate,
            crate::accepted::generate_joined,
            crate::sized::generate,
        ];
        for texts in generators {
            tally(&texts, count() / 3, Way::Lockstep);
        }
    }

    /// Every deliberate error of lockstep shows in a random program, or in one of `lockstep/`.
    #[cfg(feature = "faults")]
    #[test]
    fn every_fault_of_lockstep_is_caught() {
        use crate::campaigns::of_kind;
        use selvedge::base::faults::record::{Campaign, seeds};
        const RANDOM: u64 = 400;
        let named = named();
        let names = named.iter().map(|(name, _)| name.clone());
        let campaign = Campaign {
            name: "lockstep",
            faults: of_kind("LOCKSTEP", ()),
            programs: names.chain(seeds(RANDOM)).collect(),
        };
        campaign.run(|_, (), number| {
            let text = match named.get(number) {
                Some((_, text)) => text.clone(),
                None => generate((number - named.len()) as u64),
            };
            Some(compare_within(10, &text, Way::Lockstep).is_ok())
        });
    }
}
