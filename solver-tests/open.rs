//! Results that C leaves open: what the machine's C library returns is never ruled out, what holds for all of them is said, and a
//! violation that may hang on one is none.

#[cfg(test)]
mod tests {
    use crate::command::{Answer, Folder, Found};
    use crate::native;

    /// Functions of one number.
    const OF_ONE: [&str; 30] = [
        "sin", "cos", "tan", "asin", "acos", "atan", "sinh", "cosh", "tanh", "asinh", "acosh",
        "atanh", "exp", "exp2", "expm1", "log", "log2", "log10", "log1p", "cbrt", "erf", "erfc",
        "lgamma", "tgamma", "j0", "j1", "y0", "y1", "atof", "strtod",
    ];
    const OF_TWO: [&str; 3] = ["pow", "atan2", "hypot"];
    /// Functions without a variant in `float` here.
    const WIDE_ONLY: [&str; 8] = ["lgamma", "tgamma", "j0", "j1", "y0", "y1", "atof", "strtod"];
    /// Arguments: the borders of ranges, and numbers within.
    const NUMBERS: [&str; 24] = [
        "0.0",
        "-0.0",
        "1.0",
        "-1.0",
        "0.5",
        "-0.5",
        "1.5",
        "-1.5",
        "2.0",
        "-3.0",
        "710.0",
        "-745.5",
        "1e-300",
        "-1e-300",
        "1e300",
        "-1e300",
        "1.5707963267948966",
        "3.141592653589793",
        "0x1p-1074",
        "-0x1p-1074",
        "__builtin_inf()",
        "-__builtin_inf()",
        "__builtin_nan(\"\")",
        "11.0",
    ];
    const PRELUDE: &str = "#define _GNU_SOURCE\n#include <math.h>\n#include <stdlib.h>\n#include <string.h>\n\
        static unsigned long bits(double x) { unsigned long n; if (x != x) return 1; memcpy(&n, &x, 8); return n; }\n";

    /// Calls of all functions on all numbers, by function.
    fn calls() -> Vec<Vec<String>> {
        let mut all = Vec::new();
        for function in OF_ONE {
            let wide = |number: &&str| match function {
                "atof" => format!("atof(\"{number}\")"),
                "strtod" => format!("strtod(\"{number}\", 0)"),
                _ => format!("{function}({number})"),
            };
            all.push(NUMBERS.iter().map(wide).collect());
            if !WIDE_ONLY.contains(&function) {
                let narrow = |number: &&str| format!("{function}f({number})");
                all.push(NUMBERS.iter().map(narrow).collect());
            }
        }
        for function in OF_TWO {
            for suffix in ["", "f"] {
                let pairs = NUMBERS.iter().enumerate().flat_map(|(at, one)| {
                    let others = NUMBERS.iter().skip(at % 3).step_by(3);
                    others.map(move |other| format!("{function}{suffix}({one}, {other})"))
                });
                all.push(pairs.collect());
            }
        }
        all
    }

    fn verify(text: &str, options: &[&str]) -> Found {
        let folder = Folder::new(&[("a.c", text)]);
        folder.verify(&[options, &["--timeout", "60", "a.c"]].concat())
    }

    fn is_open(found: &Found) -> bool {
        found.answer == Answer::Unknown && found.run.verdict().contains("which C leaves open")
    }

    #[test]
    fn what_the_library_returns_is_possible() {
        let calls = calls();
        let mut text = format!("{PRELUDE}#include <stdio.h>\nint main(void) {{\n");
        for call in calls.iter().flatten() {
            text += &format!("  printf(\"%lu\\n\", bits({call}));\n");
        }
        text += "}\n";
        let folder = Folder::new(&[]);
        let values = native::run(&text, &folder.path("")).expect("the programs run");
        let mut values = values.into_iter();
        for calls in &calls {
            let mut text =
                format!("{PRELUDE}#include <assert.h>\nint main(void) {{\n  int same = 1;\n");
            for call in calls {
                let value = values.next().expect("a value for each call");
                text += &format!("  same &= bits({call}) == {value}UL;\n");
            }
            text += "  assert(!same);\n}\n";
            let found = verify(&text, &["--check", "assert"]);
            assert!(is_open(&found), "{text}\n{found:?}");
        }
    }

    #[test]
    fn what_holds_for_all_values_is_complete() {
        for promised in [
            "x != x || exp(x) >= 0",
            "!isfinite(x) || isfinite(sin(x))",
            "!isfinite(x) || sin(x) == sin(x)",
            "!isfinite(x) || fabs(cos(x)) < 1.01",
            "!(x > 1) || log(x) >= 0",
            "!(x >= 0) || cbrt(x) >= 0",
            "pow(x, 0) == 1",
            "!(fabs(x) <= 1) || isfinite(acos(x))",
            "isnan(acos(2)) && isnan(log(-1)) && isinf(log(0))",
        ] {
            let text = format!(
                "{PRELUDE}#include <assert.h>\nextern double __VERIFIER_nondet_double(void);\n\
                 int main(void) {{ double x = __VERIFIER_nondet_double(); assert({promised}); }}\n"
            );
            let found = verify(&text, &["--check", "assert"]);
            assert_eq!(found.answer, Answer::Complete, "{promised}: {found:?}");
        }
    }

    #[test]
    fn a_violation_that_may_hang_on_a_value_is_none() {
        let text = |body: &str| {
            format!("{PRELUDE}#include <assert.h>\nint n;\nint main(void) {{ {body} }}\n")
        };
        let of = |body: &str| verify(&text(body), &["--check", "assert"]);
        for open in [
            "assert(sin(1) < 0.5);",
            "assert(atof(\"1\") == 1);",
            "if (pow(2, 3) != 8) n = 1; assert(!n);",
        ] {
            assert!(is_open(&of(open)), "{open}");
        }
        of("assert(n); n = sin(1) > 0;").is(Answer::Violated);
        of("n = sin(1) > 0; assert(n == 0 || n == 1);").is(Answer::Complete);
        let both = verify(
            &text("int *p = 0; assert(sin(1) < 0.5); if (n) *p = 1;"),
            &[],
        );
        assert!(is_open(&both), "{both:?}");
    }
}
