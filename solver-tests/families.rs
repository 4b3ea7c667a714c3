//! Families of threads: random programs that create as many equal threads as they like are said to be safe only if none of the
//! programs with one, two or three of these threads has a violation or undefined behaviour, as their enumeration tells.

use crate::modular::{Way, prove};
use crate::oracle::{Fault, explore, read};
use crate::random::Random;
use crate::text::Text;
use selvedge::event::{Cut, MemoryModel};
use selvedge::modular::{Failure, Finding};

/// Members that are enumerated at most.
const MEMBERS: usize = 3;

/// Programs that show deliberate errors: name, what a member does, and what main does after each creation.
const NAMED: [(&str, &str, &str); 4] = [
    ("alone", "if (!f) { f = 1; assert(!b); b = 1; }", ""),
    (
        "hands-on",
        "l = __VERIFIER_nondet_uchar(); g = &l; assert(*g == l);",
        "",
    ),
    ("join", "x = 1;", "pthread_join(t, 0); assert(!x);"),
    (
        "count",
        "pthread_mutex_lock(&m); if (!b) b = 1; else if (!f) f = 1; else assert(0); pthread_mutex_unlock(&m);",
        "",
    ),
];

/// A random program: with a loop that creates threads without number, or with so many of them.
pub fn generate(seed: u64, members: Option<usize>) -> String {
    let mut writer = Writer {
        random: Random::new(seed),
        text: Text::default(),
    };
    writer.program(members);
    writer.text.into_string()
}

/// A named program, in the same way.
fn named(number: usize, members: Option<usize>) -> String {
    let mut writer = Writer {
        random: Random::new(0),
        text: Text::default(),
    };
    let (_, member, after) = NAMED[number];
    writer.globals();
    writer.text.line(0, "void *member(void *arg) {");
    writer.text.line(1, "unsigned char l;");
    writer.text.line(1, member);
    writer.text.line(1, "return arg;");
    writer.text.line(0, "}");
    writer.text.line(0, "int main(void) {");
    writer.text.line(1, "pthread_t t;");
    let create = "pthread_create(&t, 0, member, 0);".to_string();
    writer.creations(members, &[create, after.to_string()]);
    writer.text.line(1, "return 0;");
    writer.text.line(0, "}");
    writer.text.into_string()
}

struct Writer {
    random: Random,
    text: Text,
}

impl Writer {
    fn globals(&mut self) {
        self.text.lines(
            "#include <assert.h>\n#include <pthread.h>\n#include <stdlib.h>\n\
             extern unsigned char __VERIFIER_nondet_uchar(void);\n\
             extern void __VERIFIER_atomic_begin(void);\n\
             extern void __VERIFIER_atomic_end(void);\n\
             unsigned char x, y = 1, c;\n_Bool b, f;\nunsigned char *g;\n\
             pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\n",
        );
    }

    fn program(&mut self, members: Option<usize>) {
        self.globals();
        self.text.line(0, "void *member(void *arg) {");
        self.text
            .line(1, "unsigned char l = (unsigned char)(long)arg, k = 0;");
        for _ in 0..1 + self.random.below(3) {
            self.statement(1, false);
        }
        self.text.line(1, "return (void *)(long)l;");
        self.text.line(0, "}");
        self.text.line(0, "int main(void) {");
        self.text.line(1, "unsigned char l = 0, k = 1;");
        self.text.line(1, "pthread_t t;");
        if self.random.below(3) == 0 {
            self.text.line(1, "x = __VERIFIER_nondet_uchar() & 1;");
        }
        let arg = *self
            .random
            .pick(&["0", "1", "(void *)(long)k", "(void *)(long)(l & 1)"]);
        let joins = self.random.below(3) == 0;
        let mut body = vec![format!("pthread_create(&t, 0, member, {arg});")];
        if joins {
            body.push("pthread_join(t, 0);".to_string());
        }
        body.push(
            self.random
                .pick(&["l++;", "k ^= 1;", "x = 0;", ""])
                .to_string(),
        );
        self.creations(members, &body);
        for _ in 0..self.random.below(3) {
            self.statement(1, false);
        }
        self.text.line(1, "return 0;");
        self.text.line(0, "}");
    }

    /// Creates members without number, or so many of them.
    fn creations(&mut self, members: Option<usize>, body: &[String]) {
        match members {
            None => {
                self.text.line(1, "while (__VERIFIER_nondet_uchar()) {");
                body.iter().for_each(|line| self.text.line(2, line));
                self.text.line(1, "}");
            }
            Some(members) => {
                for _ in 0..members {
                    body.iter().for_each(|line| self.text.line(1, line));
                }
            }
        }
    }

    fn value(&mut self) -> String {
        let values = ["0", "1", "2", "x", "y", "c", "l", "k", "b", "f"];
        self.random.pick(&values).to_string()
    }

    fn condition(&mut self) -> String {
        let op = *self.random.pick(&["==", "!=", "<", ">"]);
        format!("{} {op} {}", self.value(), self.value())
    }

    fn assertion(&mut self, depth: usize) {
        let text = match self.random.below(5) {
            0 => format!("assert({});", self.condition()),
            1 => format!("assert(x <= {});", 1 + self.random.below(4)),
            2 => format!("assert(c <= {});", 1 + self.random.below(2)),
            _ => format!("assert({} || {});", self.condition(), self.condition()),
        };
        self.text.line(depth, &text);
    }

    /// Counts who is where only one, or two, may be.
    fn critical(&mut self, depth: usize) {
        let most = 1 + self.random.below(2);
        for line in ["c++;", &format!("assert(c <= {most});"), "c--;"] {
            self.text.line(depth, line);
        }
    }

    fn statement(&mut self, depth: usize, within: bool) {
        if depth > 3 {
            return self.text.line(depth, "l = x;");
        }
        match self.random.below(20) {
            0..2 => {
                let place = *self.random.pick(&["x", "y", "b", "f", "l", "k"]);
                let value = self.value();
                self.text.line(depth, &format!("{place} = {value};"));
            }
            2 => {
                let update = *self.random.pick(&["x++", "y |= 2", "x ^= 1", "k++"]);
                self.text.line(depth, &format!("{update};"));
            }
            3 => {
                let most = self.random.below(4);
                self.text.line(depth, &format!("if (x < {most}) x++;"));
            }
            4 if !within => {
                self.text
                    .line(depth, "if (!__sync_lock_test_and_set(&b, 1)) {");
                self.critical(depth + 1);
                self.text.line(depth + 1, "b = 0;");
                self.text.line(depth, "}");
            }
            5..8 if !within => {
                self.text.line(depth, "pthread_mutex_lock(&m);");
                match self.random.below(3) {
                    0 => self.critical(depth),
                    1 => self.text.line(depth, "l = x; x = l + 1; if (x > 2) x = 0;"),
                    _ => self.statement(depth, true),
                }
                self.text.line(depth, "pthread_mutex_unlock(&m);");
            }
            8..10 if !within => {
                self.text.line(depth, "__VERIFIER_atomic_begin();");
                self.statement(depth + 1, true);
                self.statement(depth + 1, true);
                self.text.line(depth, "__VERIFIER_atomic_end();");
            }
            10 => {
                let text = match self.random.below(4) {
                    0 => "g = &l; assert(*g == l);",
                    1 => "if (g) l = *g;",
                    2 => "{ unsigned char *p = &l; *p = x; l = *p; }",
                    _ => "{ unsigned char *o = malloc(1); *o = k; l = *o; free(o); }",
                };
                self.text.line(depth, text);
            }
            11 => self.text.line(
                depth,
                "if (__sync_bool_compare_and_swap(&y, 1, 2)) { c++; assert(c == 1); }",
            ),
            12 => self.text.line(depth, "if (!f) { f = 1; c++; }"),
            13..16 => {
                let condition = self.condition();
                self.text.line(depth, &format!("if ({condition}) {{"));
                self.statement(depth + 1, within);
                self.text.line(depth, "}");
            }
            _ => self.assertion(depth),
        }
    }
}

/// Compares a program, given for each number of members, with the enumeration; whether it is proved.
pub fn compare(text: impl Fn(Option<usize>) -> String, seconds: u64) -> Result<bool, Fault> {
    let fault = |kind: &str, details: String| Fault {
        kind: kind.to_string(),
        details,
    };
    let program = read(&text(None))?;
    let proof = match prove(&program, Way::Families, seconds) {
        Ok(proof) => proof,
        Err(Failure::Unsound(what)) => return Err(fault("unsound", what)),
        Err(failure) => return Err(fault("failed", format!("{failure:?}"))),
    };
    if !matches!(proof.finding, Finding::Safe { .. }) {
        return Ok(false);
    }
    for members in 1..=MEMBERS {
        let program = read(&text(Some(members)))?;
        let Some(found) = explore(&program, MemoryModel::Sc, true)? else {
            continue;
        };
        let mut cuts = found.cuts.iter();
        if cuts.any(|(cut, _)| matches!(cut, Cut::Undefined(_) | Cut::Unsupported(_))) {
            return Err(fault("cuts", format!("{members}: {:?}", found.cuts)));
        }
        if !found.violations.is_empty() {
            return Err(fault(
                "missed",
                format!("{members}: {:?}", found.violations),
            ));
        }
    }
    Ok(true)
}

#[cfg(test)]
mod tests {
    use super::*;
    use rayon::prelude::*;

    #[test]
    fn families_agree_with_the_enumeration_of_a_few_members() {
        let count = crate::tier::programs(120);
        let all = (0..count).into_par_iter().map(|seed| {
            compare(|members| generate(seed, members), 2).unwrap_or_else(|fault| {
                let text = generate(seed, None);
                panic!("seed {seed}: {}: {}\n{text}", fault.kind, fault.details)
            })
        });
        let proved = all.filter(|is_proved| *is_proved).count();
        println!("{proved} of {count} are proved");
        assert!(8 * proved >= count as usize, "few are proved");
    }

    #[test]
    fn named_programs_are_not_proved() {
        for (number, (name, ..)) in NAMED.iter().enumerate() {
            let said = compare(|members| named(number, members), 1);
            assert_eq!(said.map_err(|fault| fault.details), Ok(false), "{name}");
        }
    }

    /// Every deliberate error of families shows in a named program.
    #[cfg(feature = "faults")]
    #[test]
    fn every_fault_of_families_is_caught() {
        use crate::campaigns::of_kind;
        use selvedge::base::faults::record::Campaign;
        let campaign = Campaign {
            name: "families",
            faults: of_kind("FAMILIES", ()),
            programs: NAMED.map(|(name, ..)| name.to_string()).to_vec(),
        };
        campaign.run(|_, (), number| Some(compare(|members| named(number, members), 10).is_ok()));
    }
}
