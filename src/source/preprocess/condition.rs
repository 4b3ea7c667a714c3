//! `#if` and `#elif`: integer expressions (C11 6.10.1), computed as `intmax_t` and `uintmax_t`, 64 bits in both data
//! models.

use super::has;
use super::inclusions::BytePos;
use super::macros::{Builtin, FOREIGN, Macro};
use super::state::{Preprocessor, Stop};
use super::token::{Kind, Token};

/// Parentheses and operators that may nest.
const DEEPEST: usize = 500;

/// A number with its signedness.
#[derive(Clone, Copy)]
struct Value {
    bits: u64,
    unsigned: bool,
}

impl Value {
    fn truth(holds: bool) -> Value {
        Value {
            bits: u64::from(holds),
            unsigned: false,
        }
    }
}

type Wrong = (BytePos, String);

impl Preprocessor<'_> {
    /// Truth of the condition of a line (`#if`, `#elif`); what is wrong with it is told, and counts as false.
    pub(super) fn condition(&mut self, line: &[Token]) -> Result<bool, Stop> {
        let here = self.directive;
        let tokens = self.alone(line, Self::condition_tokens)?;
        let mut reader = Reader {
            pre: self,
            tokens: &tokens,
            at: 0,
            here,
            depth: 0,
        };
        match reader.whole() {
            Ok(value) => Ok(value.bits != 0),
            Err((place, message)) => {
                self.error(place, message);
                Ok(false)
            }
        }
    }

    /// The line with macros expanded and `defined` and its like replaced by their values.
    fn condition_tokens(&mut self) -> Result<Vec<Token>, Stop> {
        let mut out = Vec::new();
        while let Some(token) = self.next_expanded()? {
            let text = self.names.text(token.name);
            let value = if token.kind != Kind::Word {
                None
            } else if text == "defined" {
                Some(truth(self.defined(&token)?))
            } else {
                match self.find_macro(token.name).as_deref() {
                    Some(Macro::Builtin(builtin)) => self.has(&token, *builtin)?,
                    _ => None,
                }
            };
            out.push(match value {
                Some(value) => Token {
                    kind: Kind::Number,
                    name: self.names.name(value),
                    ..token
                },
                None => token,
            });
        }
        Ok(out)
    }

    /// The operand of `defined`.
    fn defined(&mut self, token: &Token) -> Result<bool, Stop> {
        let mut next = self.next_raw()?;
        let text = |pre: &Self, token: Option<Token>| token.map(|one| pre.names.text(one.name));
        let parenthesis = text(self, next) == Some("(");
        if parenthesis {
            next = self.next_raw()?;
        }
        let Some(name) = next.filter(|next| next.kind == Kind::Word) else {
            self.error(token.place, "`defined` needs a name".to_string());
            return Ok(false);
        };
        if parenthesis {
            let next = self.next_raw()?;
            if text(self, next) != Some(")") {
                self.error(name.place, "expected `)` after the name".to_string());
            }
        }
        Ok(self.is_defined(name.name))
    }

    /// Defined names: true if a name is a macro, as `#ifdef` sees it.
    pub(super) fn is_defined(&self, name: super::token::Name) -> bool {
        self.find_macro(name).is_some() && !FOREIGN.contains(&self.names.text(name))
    }

    /// The number that `__has_include(…)` and its like are; `None` for other built-in macros.
    fn has(&mut self, token: &Token, builtin: Builtin) -> Result<Option<&'static str>, Stop> {
        if !matches!(
            builtin,
            Builtin::HasInclude
                | Builtin::HasIncludeNext
                | Builtin::HasAttribute
                | Builtin::HasFunction
                | Builtin::HasStandard
                | Builtin::HasOther
        ) {
            return Ok(None);
        }
        let mut operand = Vec::new();
        let mut depth = 0usize;
        while let Some(next) = self.next_raw()? {
            let text = self.names.text(next.name);
            match text {
                "(" => depth += 1,
                ")" => depth = depth.saturating_sub(1),
                _ => {}
            }
            if depth == 0 {
                break;
            }
            operand.push(next);
        }
        let name = self.names.text(token.name);
        if operand.len() < 2 {
            self.error(
                token.place,
                format!("`{name}` needs an operand in parentheses"),
            );
            return Ok(Some("0"));
        }
        let operand = &operand[1..];
        let words: Vec<&str> = operand
            .iter()
            .map(|token| self.names.text(token.name))
            .collect();
        Ok(Some(match builtin {
            Builtin::HasInclude | Builtin::HasIncludeNext => {
                let next = builtin == Builtin::HasIncludeNext;
                match self.header_name(operand)? {
                    Some(header) => truth(self.find_header(&header, next).is_some()),
                    None => {
                        self.error(token.place, format!("`{name}` needs `<…>` or `\"…\"`"));
                        "0"
                    }
                }
            }
            Builtin::HasAttribute => truth(words.len() == 1 && has::attribute(words[0])),
            Builtin::HasFunction => truth(words.len() == 1 && has::builtin(words[0])),
            Builtin::HasStandard => {
                let (name, before) = words.split_last().unwrap_or((&"", &[]));
                has::c_attribute(before, name)
            }
            _ => "0",
        }))
    }
}

/// A truth as a number.
fn truth(holds: bool) -> &'static str {
    if holds { "1" } else { "0" }
}

/// Reads an expression.
struct Reader<'p, 'a> {
    pre: &'p Preprocessor<'a>,
    tokens: &'p [Token],
    at: usize,
    here: BytePos,
    depth: usize,
}

/// Binary operators and how strongly they bind.
fn strength(operator: &str) -> Option<u32> {
    Some(match operator {
        "*" | "/" | "%" => 10,
        "+" | "-" => 9,
        "<<" | ">>" => 8,
        "<" | ">" | "<=" | ">=" => 7,
        "==" | "!=" => 6,
        "&" => 5,
        "^" => 4,
        "|" => 3,
        "&&" => 2,
        "||" => 1,
        _ => return None,
    })
}

impl Reader<'_, '_> {
    fn peek(&self) -> &str {
        self.tokens
            .get(self.at)
            .map_or("", |token| self.pre.names.text(token.name))
    }

    fn place(&self) -> BytePos {
        self.tokens
            .get(self.at)
            .map_or(self.here, |token| token.place)
    }

    fn whole(&mut self) -> Result<Value, Wrong> {
        if self.tokens.is_empty() {
            return Err((self.here, "the condition is empty".to_string()));
        }
        let value = self.comma(true)?;
        match self.peek() {
            "" => Ok(value),
            text => Err((self.place(), format!("`{text}` after the condition"))),
        }
    }

    fn comma(&mut self, live: bool) -> Result<Value, Wrong> {
        let mut value = self.choice(live)?;
        while self.peek() == "," {
            self.at += 1;
            value = self.choice(live)?;
        }
        Ok(value)
    }

    fn choice(&mut self, live: bool) -> Result<Value, Wrong> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err((
                self.place(),
                format!("the condition nests more than {DEEPEST} deep"),
            ));
        }
        let condition = self.binary(1, live)?;
        let mut value = condition;
        if self.peek() == "?" {
            self.at += 1;
            let holds = condition.bits != 0;
            let then = self.comma(live && holds)?;
            if self.peek() != ":" {
                return Err((self.place(), "expected `:`".to_string()));
            }
            self.at += 1;
            let other = self.choice(live && !holds)?;
            value = Value {
                bits: if holds { then.bits } else { other.bits },
                unsigned: then.unsigned || other.unsigned,
            };
        }
        self.depth -= 1;
        Ok(value)
    }

    /// Operators that bind at least so strongly. `live` says that the value counts: a division by zero in an operand
    /// that is not evaluated is none.
    fn binary(&mut self, least: u32, live: bool) -> Result<Value, Wrong> {
        let mut left = self.unary(live)?;
        loop {
            let operator = self.peek().to_string();
            let Some(binds) = strength(&operator).filter(|binds| *binds >= least) else {
                return Ok(left);
            };
            let place = self.place();
            self.at += 1;
            let live_right = live
                && match operator.as_str() {
                    "&&" => left.bits != 0,
                    "||" => left.bits == 0,
                    _ => true,
                };
            let right = self.binary(binds + 1, live_right)?;
            left = apply(&operator, left, right)
                .or_else(|| (!live).then_some(left))
                .ok_or_else(|| (place, "division by zero in a condition".to_string()))?;
        }
    }

    fn unary(&mut self, live: bool) -> Result<Value, Wrong> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err((
                self.place(),
                format!("the condition nests more than {DEEPEST} deep"),
            ));
        }
        let value = self.operand(live)?;
        self.depth -= 1;
        Ok(value)
    }

    fn operand(&mut self, live: bool) -> Result<Value, Wrong> {
        let Some(token) = self.tokens.get(self.at).copied() else {
            return Err((self.here, "the condition ends in the middle".to_string()));
        };
        let text = self.pre.names.text(token.name);
        self.at += 1;
        let wrong = |message: String| Err((token.place, message));
        match (token.kind, text) {
            (Kind::Punctuator, "(") => {
                let value = self.comma(live)?;
                if self.peek() != ")" {
                    return Err((self.place(), "expected `)` in the condition".to_string()));
                }
                self.at += 1;
                Ok(value)
            }
            (Kind::Punctuator, "!") => Ok(Value::truth(self.unary(live)?.bits == 0)),
            (Kind::Punctuator, "~") => {
                let value = self.unary(live)?;
                Ok(Value {
                    bits: !value.bits,
                    ..value
                })
            }
            (Kind::Punctuator, "-") => {
                let value = self.unary(live)?;
                Ok(Value {
                    bits: value.bits.wrapping_neg(),
                    ..value
                })
            }
            (Kind::Punctuator, "+") => self.unary(live),
            (Kind::Number, _) => number(text).map_err(|message| (token.place, message)),
            (Kind::Character, _) => character(text).map_err(|message| (token.place, message)),
            // What is no macro by now is 0, keywords included.
            (Kind::Word, _) if self.peek() == "(" => {
                wrong(format!("`{text}` is no macro that takes arguments"))
            }
            (Kind::Word, _) => Ok(Value::truth(false)),
            _ => wrong(format!("`{text}` is no operand of a condition")),
        }
    }
}

/// A binary operator; `None` for a division by zero.
fn apply(operator: &str, left: Value, right: Value) -> Option<Value> {
    let unsigned = left.unsigned || right.unsigned;
    let (a, b) = (left.bits, right.bits);
    let (sa, sb) = (a as i64, b as i64);
    let value = |bits| Some(Value { bits, unsigned });
    let truth = |holds| Some(Value::truth(holds));
    let less = |a: u64, b: u64| {
        if unsigned {
            a < b
        } else {
            (a as i64) < (b as i64)
        }
    };
    match operator {
        "*" => value(a.wrapping_mul(b)),
        "/" if b == 0 => None,
        "%" if b == 0 => None,
        "/" if unsigned => value(a / b),
        "/" => value(sa.wrapping_div(sb) as u64),
        "%" if unsigned => value(a % b),
        "%" => value(sa.wrapping_rem(sb) as u64),
        "+" => value(a.wrapping_add(b)),
        "-" => value(a.wrapping_sub(b)),
        "<<" | ">>" => Some(shift(left, right, operator == "<<")),
        "<" => truth(less(a, b)),
        ">" => truth(less(b, a)),
        "<=" => truth(!less(b, a)),
        ">=" => truth(!less(a, b)),
        "==" => truth(a == b),
        "!=" => truth(a != b),
        "&" => value(a & b),
        "^" => value(a ^ b),
        "|" => value(a | b),
        "&&" => truth(a != 0 && b != 0),
        _ => truth(a != 0 || b != 0),
    }
}

/// A shift has the type of its left operand; by a negative number it goes the other way, as in GNU C.
fn shift(left: Value, right: Value, to_left: bool) -> Value {
    let backwards = !right.unsigned && (right.bits as i64) < 0;
    let amount = if backwards {
        right.bits.wrapping_neg()
    } else {
        right.bits
    };
    let bits = if to_left != backwards {
        if amount >= 64 { 0 } else { left.bits << amount }
    } else if left.unsigned {
        if amount >= 64 { 0 } else { left.bits >> amount }
    } else {
        ((left.bits as i64) >> amount.min(63)) as u64
    };
    Value { bits, ..left }
}

/// An integer constant.
fn number(text: &str) -> Result<Value, String> {
    let lower = text.to_ascii_lowercase().replace('\'', "");
    let (digits, radix) = if let Some(digits) = lower.strip_prefix("0x") {
        (digits, 16)
    } else if let Some(digits) = lower.strip_prefix("0b") {
        (digits, 2)
    } else if lower.len() > 1 && lower.starts_with('0') {
        (&lower[1..], 8)
    } else {
        (lower.as_str(), 10)
    };
    let end = digits
        .find(|c: char| !c.is_digit(radix))
        .unwrap_or(digits.len());
    let (digits, suffix) = digits.split_at(end);
    if digits.is_empty() && radix != 8
        || !["", "u", "l", "ul", "lu", "ll", "ull", "llu"].contains(&suffix)
    {
        return Err(format!("`{text}` is no integer constant"));
    }
    let bits = match digits {
        "" => 0,
        _ => u64::from_str_radix(digits, radix)
            .map_err(|_| format!("the constant `{text}` is too large"))?,
    };
    // A decimal constant beyond `intmax_t` is unsigned as well, as GNU C has it.
    let unsigned = suffix.contains('u') || bits > i64::MAX as u64;
    Ok(Value { bits, unsigned })
}

/// A character constant.
fn character(text: &str) -> Result<Value, String> {
    let prefix = text.find('\'').unwrap_or(0);
    let inner = &text[prefix + 1..text.len() - 1];
    if inner.is_empty() {
        return Err("an empty character constant".to_string());
    }
    let wide = prefix > 0;
    let mut units: Vec<u32> = Vec::new();
    let mut rest = inner;
    while let Some(c) = rest.chars().next() {
        if let Some((c, length)) = crate::source::names::universal(rest) {
            push_character(&mut units, c, wide);
            rest = &rest[length..];
        } else if c == '\\' {
            let (value, length) = escape(&rest[1..])?;
            units.push(if wide { value } else { value & 0xff });
            rest = &rest[1 + length..];
        } else {
            push_character(&mut units, c, wide);
            rest = &rest[c.len_utf8()..];
        }
    }
    let last = units.last().copied().unwrap_or(0);
    Ok(match &text[..prefix] {
        "" if units.len() == 1 => Value {
            bits: i64::from(last as u8 as i8) as u64,
            unsigned: false,
        },
        "" => Value {
            bits: i64::from(units.iter().fold(0u32, |all, unit| all << 8 | unit) as i32) as u64,
            unsigned: false,
        },
        "L" => Value {
            bits: i64::from(last as i32) as u64,
            unsigned: false,
        },
        "u" => Value {
            bits: u64::from(last & 0xffff),
            unsigned: true,
        },
        _ => Value {
            bits: u64::from(last),
            unsigned: true,
        },
    })
}

fn push_character(units: &mut Vec<u32>, c: char, wide: bool) {
    if wide {
        units.push(u32::from(c));
    } else {
        let mut bytes = [0; 4];
        units.extend(c.encode_utf8(&mut bytes).bytes().map(u32::from));
    }
}

/// An escape sequence after its backslash: its value and its length.
fn escape(text: &str) -> Result<(u32, usize), String> {
    let simple = |value: u32| Ok((value, 1));
    let c = text.chars().next().unwrap_or('\\');
    match c {
        'n' => simple(10),
        't' => simple(9),
        'r' => simple(13),
        'a' => simple(7),
        'b' => simple(8),
        'f' => simple(12),
        'v' => simple(11),
        'e' | 'E' => simple(27),
        '\\' | '\'' | '"' | '?' => simple(u32::from(c)),
        '0'..='7' => {
            let length = text
                .bytes()
                .take(3)
                .take_while(|byte| matches!(byte, b'0'..=b'7'))
                .count();
            Ok((u32::from_str_radix(&text[..length], 8).unwrap_or(0), length))
        }
        'x' => {
            let length = text[1..].bytes().take_while(u8::is_ascii_hexdigit).count();
            let digits = &text[1..1 + length];
            let value = u32::from_str_radix(digits, 16)
                .map_err(|_| format!("`\\x{digits}` is no character"))?;
            Ok((value, 1 + length))
        }
        c => Err(format!("`\\{c}` is no escape sequence")),
    }
}
