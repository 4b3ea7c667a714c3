//! Templates of inline assembly, as text: instructions of x86 in AT&T syntax with their operands.

/// One instruction.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Instruction {
    pub locked: bool,
    /// Mnemonic, with its suffix.
    pub name: String,
    pub operands: Vec<Word>,
}

/// Operand of an instruction.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Word {
    /// Operand of the statement, by its number, seen as so many bits if a modifier says so (`%k1`).
    Operand {
        number: usize,
        bits: Option<u16>,
    },
    Register(Register),
    Immediate(i128),
    /// `disp(base)`: the memory behind an address.
    Memory {
        displacement: i64,
        base: Box<Word>,
    },
}

/// A general register: its family (0 is that of `%rax`), and the part of it that a name is about, in bits from the lowest.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Register {
    pub family: usize,
    pub bits: u16,
}

/// Families of registers, by the letters of their old names.
pub(super) const AX: usize = 0;
pub(super) const BX: usize = 1;
pub(super) const CX: usize = 2;
pub(super) const DX: usize = 3;
pub(super) const SI: usize = 4;
pub(super) const DI: usize = 5;

/// The register of a name without its `%`.
pub(super) fn register(name: &str) -> Option<Register> {
    let old = ["ax", "bx", "cx", "dx", "si", "di", "bp", "sp"];
    let of = |family: usize, bits: u16| Some(Register { family, bits });
    let family = |part: &str| old.iter().position(|known| *known == part);
    if let Some(rest) = name.strip_prefix('r') {
        if let Some(family) = family(rest) {
            return of(family, 64);
        }
        let digits = rest.trim_end_matches(['b', 'w', 'd']);
        let number: usize = digits.parse().ok().filter(|n| (8..16).contains(n))?;
        return match &rest[digits.len()..] {
            "" => of(number, 64),
            "d" => of(number, 32),
            "w" => of(number, 16),
            "b" => of(number, 8),
            _ => None,
        };
    }
    if let Some(family) = name.strip_prefix('e').and_then(family) {
        return of(family, 32);
    }
    if let Some(family) = family(name) {
        return of(family, 16);
    }
    let low = name.strip_suffix('l')?;
    let short = ["a", "b", "c", "d", "si", "di", "bp", "sp"];
    of(short.iter().position(|known| *known == low)?, 8)
}

/// Operands of the statement, which a template's text refers to.
pub(super) struct Names<'a> {
    /// Symbolic names of the operands, in order; empty if one has none.
    pub names: &'a [String],
    /// Widths in bits of the operands.
    pub bits: &'a [u16],
}

/// The instructions of a template; an error says what is not understood.
pub(super) fn parse(text: &str, names: &Names) -> Result<Vec<Instruction>, String> {
    let text = without_comments(&first_dialect(text)?);
    let mut found = Vec::new();
    let mut locked = false;
    // Other sections are about the instructions, not among them.
    let mut elsewhere = 0usize;
    for line in text.split([';', '\n']) {
        let mut line = line.trim();
        while let Some((label, rest)) = line.split_once(':') {
            let is_label = label
                .chars()
                .all(|c| c.is_alphanumeric() || "_.".contains(c));
            if !is_label || label.is_empty() {
                break;
            }
            line = rest.trim();
        }
        if line.starts_with('.') {
            let directive = line.split_whitespace().next().unwrap_or_default();
            match directive {
                ".pushsection" => elsewhere += 1,
                ".popsection" => elsewhere = elsewhere.saturating_sub(1),
                ".section" => elsewhere += 1,
                ".previous" => elsewhere = elsewhere.saturating_sub(1),
                ".align" | ".balign" | ".p2align" => {}
                _ if elsewhere > 0 => {}
                _ => return Err(format!("directive `{directive}`")),
            }
            continue;
        }
        if elsewhere > 0 || line.is_empty() {
            continue;
        }
        let (mut name, mut rest) = word(line);
        while let prefix @ ("lock" | "rep" | "repz" | "repe" | "repne" | "repnz") =
            name.to_lowercase().as_str()
        {
            match prefix {
                "lock" => locked = true,
                // A hint, in front of `nop` or alone in front of a `;`.
                "rep" if matches!(rest.trim(), "" | "nop") => {}
                _ => return Err(format!("prefix `{prefix}`")),
            }
            (name, rest) = word(rest);
        }
        if name.is_empty() {
            continue;
        }
        let mut name = name.to_lowercase();
        if let Some((stem, operand)) = name.clone().split_once("%z") {
            let Word::Operand { number, .. } = reference(operand, names)? else {
                return Err(format!("`{name}`"));
            };
            let suffix = match names.bits[number] {
                8 => 'b',
                16 => 'w',
                32 => 'l',
                64 => 'q',
                _ => return Err(format!("`{name}`")),
            };
            name = format!("{stem}{suffix}");
        }
        let mut operands = Vec::new();
        for part in apart(rest) {
            operands.push(operand(&part, names)?);
        }
        found.push(Instruction {
            locked: std::mem::take(&mut locked),
            name,
            operands,
        });
    }
    if locked {
        return Err("prefix `lock` without an instruction".into());
    }
    Ok(found)
}

/// Text with `{att|intel}` replaced by its first part.
fn first_dialect(text: &str) -> Result<String, String> {
    let mut found = String::new();
    let mut inside = None;
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match (c, inside) {
            ('%', _) if matches!(chars.peek(), Some('{' | '|' | '}')) => {
                let escaped = chars.next().expect("it was there");
                if inside != Some(false) {
                    found.push(escaped);
                }
            }
            ('{', None) => inside = Some(true),
            ('|', Some(_)) => inside = Some(false),
            ('}', Some(_)) => inside = None,
            ('{' | '}', _) => return Err("braces that do not match".into()),
            (_, Some(false)) => {}
            _ => found.push(c),
        }
    }
    Ok(found)
}

/// Text without `/* … */` and what stands behind a `#`.
fn without_comments(text: &str) -> String {
    let mut found = String::new();
    let mut rest = text;
    while let Some(begin) = rest.find("/*") {
        found.push_str(&rest[..begin]);
        found.push(' ');
        rest = rest[begin..]
            .find("*/")
            .map_or("", |end| &rest[begin + end + 2..]);
    }
    found.push_str(rest);
    let lines = found
        .lines()
        .map(|line| line.split('#').next().unwrap_or_default());
    lines.collect::<Vec<_>>().join("\n")
}

/// The first word of a line, and what follows it.
fn word(line: &str) -> (&str, &str) {
    let line = line.trim();
    line.split_once(char::is_whitespace).unwrap_or((line, ""))
}

/// Operands of an instruction: apart at commas outside parentheses.
fn apart(text: &str) -> Vec<String> {
    let mut parts = vec![String::new()];
    let mut depth = 0;
    for c in text.chars().filter(|c| !c.is_whitespace()) {
        match c {
            '(' => depth += 1,
            ')' => depth -= 1,
            _ => {}
        }
        if c == ',' && depth == 0 {
            parts.push(String::new());
        } else if let Some(last) = parts.last_mut() {
            last.push(c);
        }
    }
    parts.retain(|part| !part.is_empty());
    parts
}

fn operand(text: &str, names: &Names) -> Result<Word, String> {
    let odd = || format!("operand `{text}`");
    if let Some(value) = text.strip_prefix('$') {
        if let Some(operand) = value.strip_prefix('%') {
            return reference(operand, names);
        }
        return number(value).map(Word::Immediate).ok_or_else(odd);
    }
    if let Some(open) = text.find('(') {
        let inside = text[open + 1..].strip_suffix(')').ok_or_else(odd)?;
        let displacement = match &text[..open] {
            "" => 0,
            value => number(value).ok_or_else(odd)?,
        };
        let base = operand(inside, names)?;
        if !matches!(base, Word::Operand { .. } | Word::Register(_)) {
            return Err(odd());
        }
        return Ok(Word::Memory {
            displacement: i64::try_from(displacement).map_err(|_| odd())?,
            base: Box::new(base),
        });
    }
    let Some(rest) = text.strip_prefix('%') else {
        return Err(odd());
    };
    // Behind another `%` stands a register.
    let Some(name) = rest.strip_prefix('%') else {
        return reference(rest, names);
    };
    let found = register(&name.to_lowercase()).map(Word::Register);
    found.ok_or_else(|| format!("register `%{name}`"))
}

/// Operand of the statement, by what stands behind its `%`.
fn reference(text: &str, names: &Names) -> Result<Word, String> {
    let odd = || format!("operand `%{text}`");
    let named = |text: &str| -> Option<usize> {
        if let Some(name) = text.strip_prefix('[') {
            let name = name.strip_suffix(']')?;
            return names.names.iter().position(|known| known == name);
        }
        text.parse()
            .ok()
            .filter(|number| *number < names.bits.len())
    };
    if let Some(number) = named(text) {
        return Ok(Word::Operand { number, bits: None });
    }
    let mut chars = text.chars();
    let modifier = chars.next().ok_or_else(odd)?;
    let number = named(chars.as_str()).ok_or_else(odd)?;
    let bits = match modifier {
        'b' => Some(8),
        'w' => Some(16),
        'k' => Some(32),
        'q' => Some(64),
        // The same without a sign of its kind in front.
        'c' | 'P' => None,
        _ => return Err(odd()),
    };
    Ok(Word::Operand { number, bits })
}

fn number(text: &str) -> Option<i128> {
    let (negative, digits) = match text.strip_prefix('-') {
        Some(digits) => (true, digits),
        None => (false, text),
    };
    let value = match digits.strip_prefix("0x").or(digits.strip_prefix("0X")) {
        Some(hex) => i128::from_str_radix(hex, 16).ok()?,
        None if digits.len() > 1 && digits.starts_with('0') => {
            i128::from_str_radix(digits, 8).ok()?
        }
        None => digits.parse().ok()?,
    };
    Some(if negative { -value } else { value })
}
