//! Floating-point expressions, and what integers make of them. A NaN's sign and payload are never looked at: C leaves
//! them open.

use super::shape::Shape;
use super::writer::Writer;

impl Writer {
    /// An expression of type `float` or `double`; `depth` bounds its height.
    pub fn number(&mut self, depth: usize) -> String {
        if depth == 0 || self.random.chance(15) {
            return match self.random.below(3) {
                0 => self.number_literal(),
                _ => self.number_read(),
            };
        }
        let d = depth - 1;
        match self.random.below(16) {
            0..=4 => {
                let op = *self.random.pick(&["+", "-", "*", "/"]);
                format!("({} {op} {})", self.number(d), self.number(d))
            }
            5 => {
                let op = *self.random.pick(&["+", "-", "*", "/"]);
                format!("({} {op} {})", self.number(d), self.expr(d))
            }
            6 => {
                let op = *self.random.pick(&["+", "-", "*", "/"]);
                format!("({} {op} {})", self.expr(d), self.number(d))
            }
            7 => format!("(-{})", self.number(d)),
            8 | 9 => format!("((float){})", self.number(d)),
            10 => format!("((double){})", self.number(d)),
            11 => {
                let name = *self.random.pick(&["float", "double"]);
                format!("(({name}){})", self.expr(d))
            }
            12 => format!(
                "({} ? {} : {})",
                self.expr(d),
                self.number(d),
                self.number(d)
            ),
            13 => {
                let name = *self.random.pick(&[
                    "fabs",
                    "floor",
                    "ceil",
                    "trunc",
                    "round",
                    "rint",
                    "nearbyint",
                    "sqrt",
                    "fabsf",
                    "floorf",
                    "ceilf",
                    "truncf",
                    "roundf",
                    "rintf",
                    "sqrtf",
                ]);
                format!("__builtin_{name}({})", self.number(d))
            }
            14 => {
                let name = *self
                    .random
                    .pick(&["fmod", "fmodf", "remainder", "remainderf"]);
                format!("__builtin_{name}({}, {})", self.number(d), self.number(d))
            }
            _ => match self.random.below(3) {
                0 => {
                    let by = self.random.between(-1100, 1100);
                    format!("__builtin_ldexp({}, {by})", self.number(d))
                }
                1 => format!(
                    "__builtin_fma({}, {}, {})",
                    self.number(d),
                    self.number(d),
                    self.number(d)
                ),
                _ => format!("__builtin_fdim({}, {})", self.number(d), self.number(d)),
            },
        }
    }

    /// An integer that says something of a number.
    pub fn of_number(&mut self, d: usize) -> String {
        match self.random.below(9) {
            0..=2 => {
                let op = *self.random.pick(&["<", ">", "<=", ">=", "==", "!="]);
                format!("({} {op} {})", self.number(d), self.number(d))
            }
            3 => {
                let op = *self.random.pick(&["<", ">", "<=", ">=", "==", "!="]);
                format!("({} {op} {})", self.expr(d), self.number(d))
            }
            4 => {
                let form =
                    *self
                        .random
                        .pick(&["(!{})", "((_Bool){})", "({} && 1)", "({} ? 3 : 5)"]);
                form.replace("{}", &self.number(d))
            }
            5 | 6 => self.integer_of(d),
            7 => {
                let name = *self
                    .random
                    .pick(&["isnan", "isinf_sign", "isfinite", "isnormal"]);
                format!("__builtin_{name}({})", self.number(d))
            }
            _ => {
                let (t, number) = (self.name("t"), self.number(d));
                format!("({{ double {t} = {number}; {t} == {t} ? !__builtin_signbit({t}) : 2; }})")
            }
        }
    }

    /// A number converted to an integer type, where it fits.
    fn integer_of(&mut self, d: usize) -> String {
        // The numbers between which all can be converted, as exactly as a double knows them.
        let (ty, least, end) = *self.random.pick(&[
            ("signed char", "-129.0", "128.0"),
            ("unsigned char", "-1.0", "256.0"),
            ("short", "-32769.0", "32768.0"),
            ("unsigned short", "-1.0", "65536.0"),
            ("int", "-2147483649.0", "2147483648.0"),
            ("unsigned", "-1.0", "4294967296.0"),
            ("long", "-9223372036854777856.0", "9223372036854775808.0"),
            ("unsigned long", "-1.0", "18446744073709551616.0"),
        ]);
        let (t, number) = (self.name("t"), self.number(d));
        let kind = *self.random.pick(&["float", "double"]);
        let other = self.random.between(-9, 9);
        format!(
            "({{ {kind} {t} = {number}; {t} > {least} && {t} < {end} ? ({ty}){t} : {other}; }})"
        )
    }

    /// A constant, spelled in one of many ways.
    pub fn number_literal(&mut self) -> String {
        let text = match self.random.below(9) {
            0 => format!("{}.0", self.random.below(100)),
            1 => format!("{}.{}", self.random.below(20), self.random.below(1000)),
            2 => format!(
                "{}e{}",
                self.random.below(1000),
                self.random.between(-30, 30)
            ),
            3 => format!("0.{}", self.random.bits()),
            4 => format!(
                "0x1.{:x}p{}",
                self.random.bits(),
                self.random.between(-30, 70)
            ),
            5 => self
                .random
                .pick(&["16777216.", "9007199254740992.", "2147483647.", ".5"])
                .to_string(),
            6 => return self.extreme(),
            7 => {
                let field = self.random.bits() >> 2;
                format!("{:e}", f64::from_bits(field))
            }
            _ => format!("{}.5", self.random.below(10)),
        };
        // What is too small or too large for `float` becomes zero or infinite.
        if self.random.chance(30) {
            format!("{text}f")
        } else {
            text
        }
    }

    fn extreme(&mut self) -> String {
        let texts = [
            "5e-324",
            "2.2250738585072014e-308",
            "1.7976931348623157e308",
            "1e-45f",
            "1.17549435e-38f",
            "3.40282347e38f",
            "(-0.0)",
            "(-0.0f)",
            "__builtin_inf()",
            "(-__builtin_inff())",
            "__builtin_nan(\"\")",
            "1.1920929e-7f",
            "2.220446049250313e-16",
        ];
        self.random.pick(&texts).to_string()
    }

    /// The value of a number that is in scope.
    fn number_read(&mut self) -> String {
        match self.number_leaf(false) {
            Some(text) => text,
            None => self.number_literal(),
        }
    }

    /// A number that is in scope, and may be assigned if it is a `target`.
    pub fn number_leaf(&mut self, target: bool) -> Option<String> {
        let variables = self.visible();
        if variables.is_empty() {
            return None;
        }
        for _ in 0..24 {
            let variable = self.random.pick(&variables).clone();
            if target && variable.fixed {
                continue;
            }
            if let Some(text) = self.number_within(variable.name, variable.shape) {
                return Some(text);
            }
        }
        None
    }

    fn number_within(&mut self, text: String, shape: Shape) -> Option<String> {
        match shape {
            Shape::Float(_) => Some(text),
            Shape::Array(element, length) => {
                let index = self.index(length);
                self.number_within(format!("{text}[{index}]"), *element)
            }
            Shape::Record(id) => {
                let fields = self.records[id].fields.clone();
                let named: Vec<_> = fields.iter().filter(|f| !f.name.is_empty()).collect();
                let field = (*self.random.pick(&named)).clone();
                self.number_within(format!("{text}.{}", field.name), field.shape)
            }
            _ => None,
        }
    }

    /// A statement that changes a number.
    pub fn number_assignment(&mut self) {
        let Some(target) = self.number_leaf(true) else {
            return self.mix_number(3);
        };
        let p = self.prefix.clone();
        match self.random.below(8) {
            0..=2 => {
                let value = self.number(3);
                self.line(&format!("{target} = {value};"));
            }
            3 => {
                let value = self.expr(2);
                self.line(&format!("{target} = {value};"));
            }
            4 | 5 => {
                let op = *self.random.pick(&["+=", "-=", "*=", "/="]);
                let value = if self.random.chance(70) {
                    self.number(2)
                } else {
                    self.expr(2)
                };
                self.line(&format!("{target} {op} {value};"));
            }
            6 => {
                let form = *self.random.pick(&["++T", "--T", "T++", "T--"]);
                self.line(&format!("{p}mixd({});", form.replace('T', &target)));
            }
            _ => {
                let value = self.number(2);
                self.line(&format!("{p}mixd({target} = {value});"));
            }
        }
    }

    /// Adds a number to the checksum.
    pub fn mix_number(&mut self, depth: usize) {
        let (p, value) = (self.prefix.clone(), self.number(depth));
        self.line(&format!("{p}mixd({value});"));
    }

    /// `float` or `double`.
    pub fn float_shape(&mut self) -> Shape {
        Shape::Float(if self.random.chance(50) {
            "float"
        } else {
            "double"
        })
    }
}
