//! Conditions as text: nodes of terms for machines, one a line, and C for people.

use crate::base::id::Id;
use crate::event::ThreadId;
use crate::ir::Program;
use crate::modular::cube::name;
use crate::modular::threads::Threads;
use crate::term::word::mask;
use crate::term::{Node, Op, TermId, Terms};
use crate::transition::Point;
use crate::transition::relation::Name;
use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;

/// Depth to which expressions are written out for people.
const DEPTH: u32 = 24;

/// The nodes of a conjunction, operands before what is built on them; the last line lists the conjuncts.
pub fn write(threads: &Threads, conjuncts: &[TermId]) -> Vec<String> {
    let terms = &threads.relation.terms;
    let cone = terms.cone(conjuncts);
    let numbers: HashMap<TermId, usize, FxBuildHasher> =
        cone.iter().enumerate().map(|(i, t)| (*t, i)).collect();
    let mut lines = Vec::new();
    for &term in &cone {
        let bits = terms.bits(term);
        let children: Vec<String> = terms
            .children(term)
            .map(|c| numbers[&c].to_string())
            .collect();
        let children = children.join(" ");
        lines.push(match terms.node(term) {
            Node::Constant(value) => format!("{value}:{bits}"),
            Node::Variable(var) => match threads.word_of(var) {
                Some(word) => format!("w{word}"),
                None => "?".to_string(),
            },
            Node::Extract { lo, .. } => format!("extract {children} {lo} {bits}"),
            Node::ZeroExtend(_) | Node::SignExtend(_) => {
                format!("{} {children} {bits}", terms.op(term).name())
            }
            _ => format!("{} {children}", terms.op(term).name()),
        });
    }
    let all: Vec<String> = conjuncts.iter().map(|c| numbers[c].to_string()).collect();
    lines.push(format!("all {}", all.join(" ")).trim_end().to_string());
    lines
}

/// The conjuncts that such lines say; `None` if they say none.
pub fn read(threads: &mut Threads, lines: &[String]) -> Option<Vec<TermId>> {
    let (last, nodes) = lines.split_last()?;
    let mut made: Vec<TermId> = Vec::new();
    for line in nodes {
        let term = node(threads, &made, line)?;
        made.push(term);
    }
    let numbers = last.strip_prefix("all")?.split_whitespace();
    let terms = &threads.relation.terms;
    numbers
        .map(|number| {
            let term = *made.get(number.parse::<usize>().ok()?)?;
            (terms.bits(term) == 1).then_some(term)
        })
        .collect()
}

fn node(threads: &mut Threads, made: &[TermId], line: &str) -> Option<TermId> {
    if let Some(word) = line.strip_prefix('w') {
        let word: usize = word.parse().ok()?;
        return threads.relation.words.get(word).map(|word| word.term);
    }
    let terms = &mut threads.relation.terms;
    if let Some((value, bits)) = line.split_once(':') {
        let (value, bits): (u128, u16) = (value.parse().ok()?, bits.parse().ok()?);
        let fits = (1..=128).contains(&bits) && value & !mask(bits) == 0;
        return fits.then(|| terms.constant(value, bits));
    }
    let mut parts = line.split(' ');
    let name = parts.next()?;
    let op = Op::ALL.into_iter().find(|op| op.name() == name)?;
    let numbers: Option<Vec<usize>> = parts.map(|part| part.parse().ok()).collect();
    let numbers = numbers?;
    let operands: Option<Vec<TermId>> = numbers
        .iter()
        .take(op.arity())
        .map(|n| made.get(*n).copied())
        .collect();
    let operands = operands?;
    let rest = &numbers[operands.len()..];
    let bits: Vec<u16> = operands.iter().map(|t| terms.bits(*t)).collect();
    let plain = rest.is_empty() && bits.windows(2).all(|pair| pair[0] == pair[1]);
    match (op, operands.as_slice(), rest) {
        (Op::Constant | Op::Variable, ..) => None,
        (Op::Extract, &[a], &[lo, width]) => {
            let end = lo.checked_add(width)?;
            let fits = width > 0 && end <= usize::from(bits[0]);
            fits.then(|| terms.extract(a, lo as u16, width as u16))
        }
        (Op::ZeroExtend | Op::SignExtend, &[a], &[width]) => {
            let fits = (usize::from(bits[0])..=128).contains(&width);
            let width = width as u16;
            fits.then(|| match op {
                Op::ZeroExtend => terms.zero_extend(a, width),
                _ => terms.sign_extend(a, width),
            })
        }
        (Op::Ite, &[c, a, b], []) => {
            (bits[0] == 1 && bits[1] == bits[2]).then(|| terms.ite(c, a, b))
        }
        (Op::Concat, &[a, b], []) => (bits[0] + bits[1] <= 128).then(|| terms.concat(a, b)),
        (Op::Not, &[a], []) => Some(terms.not(a)),
        (Op::And, &[a, b], []) if plain => Some(terms.and(a, b)),
        (Op::Xor, &[a, b], []) if plain => Some(terms.xor(a, b)),
        (Op::Add, &[a, b], []) if plain => Some(terms.add(a, b)),
        (Op::Sub, &[a, b], []) if plain => Some(terms.sub(a, b)),
        (Op::Mul, &[a, b], []) if plain => Some(terms.mul(a, b)),
        (Op::UDiv, &[a, b], []) if plain => Some(terms.udiv(a, b)),
        (Op::URem, &[a, b], []) if plain => Some(terms.urem(a, b)),
        (Op::Shl, &[a, b], []) if plain => Some(terms.shl(a, b)),
        (Op::LShr, &[a, b], []) if plain => Some(terms.lshr(a, b)),
        (Op::AShr, &[a, b], []) if plain => Some(terms.ashr(a, b)),
        (Op::Eq, &[a, b], []) if plain => Some(terms.eq(a, b)),
        (Op::ULt, &[a, b], []) if plain => Some(terms.ult(a, b)),
        (Op::SLt, &[a, b], []) if plain => Some(terms.slt(a, b)),
        _ => None,
    }
}

/// Writes conditions in C, as far as C has words for them.
pub struct InC<'a> {
    pub program: &'a Program,
    pub threads: &'a Threads<'a>,
}

impl InC<'_> {
    /// A conjunction.
    pub fn all(&self, conjuncts: &[TermId]) -> String {
        match conjuncts {
            [] => "1".to_string(),
            [one] => self.term(*one, DEPTH),
            _ => {
                let parts: Vec<String> = conjuncts.iter().map(|c| self.part(*c, DEPTH)).collect();
                parts.join(" && ")
            }
        }
    }

    fn terms(&self) -> &Terms {
        &self.threads.relation.terms
    }

    /// An operand.
    fn part(&self, term: TermId, depth: u32) -> String {
        let text = self.term(term, depth);
        let simple = |c: char| c.is_alphanumeric() || "_[].#!:".contains(c);
        let called = text.ends_with(')') && text.starts_with(char::is_alphabetic);
        let bare = text.chars().all(simple) || called && !text.contains(' ');
        let bare = bare || self.is_comparison(term);
        if bare { text } else { format!("({text})") }
    }

    fn is_comparison(&self, term: TermId) -> bool {
        let inner = match self.terms().node(term) {
            Node::Not(inner) => inner,
            _ => term,
        };
        self.terms().bits(term) == 1 && matches!(self.terms().op(inner), Op::Eq | Op::ULt | Op::SLt)
    }

    /// A constant as an operand of what is compared with it.
    fn constant(&self, value: u128, bits: u16) -> String {
        let half = 1u128 << (bits - 1);
        if bits >= 32 && value >= half {
            format!("-{}", mask(bits) - value + 1)
        } else {
            value.to_string()
        }
    }

    fn compare(&self, op: &str, a: TermId, b: TermId, depth: u32) -> String {
        let terms = self.terms();
        let (a, b) = match terms.as_constant(a) {
            Some(_) if op == "==" || op == "!=" => (b, a),
            _ => (a, b),
        };
        if let (Some(var), Some(value)) = (terms.var_of(a), terms.as_constant(b))
            && let Some(word) = self.threads.word_of(var)
            && let Name::Location(thread) = self.threads.relation.words[word].name
        {
            return format!(
                "{} {op} {}",
                self.name(word),
                self.place(thread, value as usize)
            );
        }
        format!("{} {op} {}", self.part(a, depth), self.part(b, depth))
    }

    /// A place of a thread.
    fn place(&self, thread: ThreadId, place: usize) -> String {
        let locations = &self.threads.automata.threads[thread].locations;
        match locations.iter().nth(place) {
            Some(location) => match location.place {
                Point::Ended => "end".to_string(),
                Point::Stopped => "stopped".to_string(),
                Point::Code(..) => format!("{{{}}}", location.loc.0),
            },
            None => "stopped".to_string(),
        }
    }

    fn name(&self, word: usize) -> String {
        let relation = &self.threads.relation;
        match &relation.words[word].name {
            Name::Location(thread) => {
                let function = self.threads.automata.threads[*thread].function;
                format!(
                    "line({}#{})",
                    self.program.functions[function].name,
                    thread.index()
                )
            }
            _ => name(self.program, self.threads.automata, &relation.words[word]),
        }
    }

    fn term(&self, term: TermId, depth: u32) -> String {
        let Some(depth) = depth.checked_sub(1) else {
            return "...".to_string();
        };
        let terms = self.terms();
        let bits = terms.bits(term);
        let two = |op: &str, a: TermId, b: TermId| {
            format!("{} {op} {}", self.part(a, depth), self.part(b, depth))
        };
        match terms.node(term) {
            Node::Constant(value) => self.constant(value, bits),
            Node::Variable(var) => match self.threads.word_of(var) {
                Some(word) => self.name(word),
                None => terms.name(var).to_string(),
            },
            Node::Not(inner) if bits == 1 => match terms.node(inner) {
                Node::Binary(Op::Eq, a, b) => self.compare("!=", a, b, depth),
                Node::Binary(Op::ULt | Op::SLt, a, b) => self.compare("<=", b, a, depth),
                Node::Binary(Op::And, ..) => {
                    let parts = terms.conjuncts(inner).into_iter();
                    let parts = parts.map(|part| self.negated(part, depth));
                    parts.collect::<Vec<String>>().join(" || ")
                }
                Node::Binary(Op::Xor, a, b) => two("==", a, b),
                _ => format!("!{}", self.part(inner, depth)),
            },
            Node::Not(inner) => format!("~{}", self.part(inner, depth)),
            Node::Binary(Op::And, ..) if bits == 1 => {
                let parts = terms.conjuncts(term).into_iter();
                let parts = parts.map(|part| self.part(part, depth));
                parts.collect::<Vec<String>>().join(" && ")
            }
            Node::Binary(Op::Eq, a, b) => self.compare("==", a, b, depth),
            Node::Binary(Op::ULt | Op::SLt, a, b) => self.compare("<", a, b, depth),
            Node::Binary(op, a, b) => {
                let op = match op {
                    Op::And => "&",
                    Op::Xor if bits == 1 => "!=",
                    Op::Xor => "^",
                    Op::Add => "+",
                    Op::Sub => "-",
                    Op::Mul => "*",
                    Op::UDiv => "/",
                    Op::URem => "%",
                    Op::Shl => "<<",
                    _ => ">>",
                };
                two(op, a, b)
            }
            Node::Ite(c, a, b) => {
                let (c, a, b) = (
                    self.part(c, depth),
                    self.part(a, depth),
                    self.part(b, depth),
                );
                format!("{c} ? {a} : {b}")
            }
            Node::Concat(a, b) => {
                let low = terms.bits(b);
                format!("{} << {low} | {}", self.part(a, depth), self.part(b, depth))
            }
            // All of a word that varies, or whether it is set at all.
            Node::Extract { from, lo: 0 }
                if terms.fact(from).hi >> bits == 0 && terms.var_of(from).is_some() =>
            {
                self.term(from, depth)
            }
            Node::Extract { from, lo: 0 } => {
                format!("{} & {}", self.part(from, depth), mask(bits))
            }
            Node::Extract { from, lo } => {
                format!("{} >> {lo} & {}", self.part(from, depth), mask(bits))
            }
            Node::ZeroExtend(inner) => self.term(inner, depth),
            Node::SignExtend(inner) => self.term(inner, depth),
        }
    }

    fn negated(&self, term: TermId, depth: u32) -> String {
        match self.terms().node(term) {
            Node::Not(inner) => self.part(inner, depth),
            Node::Binary(Op::Eq, a, b) => self.compare("!=", a, b, depth),
            Node::Binary(Op::ULt | Op::SLt, a, b) => self.compare("<=", b, a, depth),
            _ => format!("!{}", self.part(term, depth)),
        }
    }
}
