//! Sums, products, quotients, shifts and conversions near the ends of their types.

use super::{Parts, Writer, lines};

impl Writer {
    /// Signed results that have no value of their type.
    pub(super) fn summed(&mut self) -> Parts {
        let (ty, least, most) = *self.random.pick(&[
            ("int", "INT_MIN", "INT_MAX"),
            ("int", "INT_MIN", "INT_MAX"),
            ("long long", "LLONG_MIN", "LLONG_MAX"),
            ("short", "SHRT_MIN", "SHRT_MAX"),
            ("signed char", "SCHAR_MIN", "SCHAR_MAX"),
            ("unsigned", "0", "UINT_MAX"),
        ]);
        let start =
            *self
                .random
                .pick(&[most, "MOST - 1", "MOST / 2", least, "LEAST + 1", "-1", "1"]);
        let texts = [
            "sum += 1;",
            "sum++;",
            "if (sum < MOST) sum++;",
            "if (sum < MOST - 1) sum += 2;",
            "sum -= 1;",
            "sum = -sum;",
            "sum = sum * 2;",
            "sum = sum * sum;",
            "sum = sum / -1;",
            "if (sum % -1) sum = 0;",
            "sum = sum - n;",
            "sum <<= 1;",
            "if (sum > 0) sum = sum / 2 + n;",
            "sum = (sum + n) / 2;",
            "sum = abs((int)sum);",
            "sum = sum > 0 ? sum - 3 : sum + 3;",
            "sum = (TYPE)((unsigned)sum + 1u);",
        ];
        let mut step = || {
            let text = *self.random.pick(&texts);
            text.replace("MOST", most).replace("TYPE", ty)
        };
        let (one, two) = (step(), step());
        let threads = self.pair(&one, &two);
        let start = start.replace("MOST", most).replace("LEAST", least);
        Parts {
            globals: vec![format!("{ty} sum;")],
            before: lines(&[&format!("sum = ({ty})({start}); n = 1;")]),
            threads,
            after: lines(&[self.one(&["", "n = n - (sum > 0);", "assert(sum != 0);"])]),
            ..Parts::default()
        }
    }

    /// Divisors that others change.
    pub(super) fn divided(&mut self) -> Parts {
        let divide = self.one(&[
            "t = 6 / n;",
            "t = 6 % n;",
            "if (n) t = 6 / n;",
            "int by = n; if (by) t = 6 % by;",
            "t = 6u / (unsigned)n;",
            "table[0] /= n;",
            "t = n ? INT_MIN / -n : 0;",
        ]);
        let change = self.one(&["n = 0;", "n--;", "n = !n;", "if (n > 1) n--;", "n = n - 2;"]);
        let threads = self.pair(divide, change);
        Parts {
            before: lines(&[self.one(&["n = 1;", "n = 2;"])]),
            threads,
            ..Parts::default()
        }
    }

    /// Numbers of bits that others change.
    pub(super) fn shifted(&mut self) -> Parts {
        let shift = self.one(&[
            "t = 1 << n;",
            "t = 1u << n;",
            "t = 8 >> n;",
            "if (n >= 0 && n < 31) t = 1 << n;",
            "unsigned long wide = 1ul << (n & 31); t = wide > 2;",
            "short s = 1; s <<= n; t = s;",
        ]);
        let change = self.one(&["n++;", "n = -1;", "n = 0;", "n += 2;", "if (n < 31) n++;"]);
        let threads = self.pair(shift, change);
        Parts {
            before: lines(&[self.one(&["n = 30;", "n = 31;", "n = 0;"])]),
            threads,
            ..Parts::default()
        }
    }

    /// Floating-point numbers that are no integers of a type.
    pub(super) fn converted(&mut self) -> Parts {
        let convert = self.one(&[
            "t = (int)size;",
            "unsigned char small = (unsigned char)size; t = small;",
            "if (size < 200.0f) t = (signed char)size;",
            "n = n + (int)(size * 2);",
        ]);
        let change = self.one(&[
            "size = 3e9f;",
            "size = size * 100;",
            "size = -size;",
            "size = 1;",
        ]);
        let threads = self.pair(convert, change);
        Parts {
            globals: vec!["float size = 2.5f;".into()],
            threads,
            ..Parts::default()
        }
    }
}
