//! Conditions for people, in C as far as C has words for them.
//!
//! A text denotes a number without sign, and a condition is 0 or 1. What depends on the width of its operands says that
//! width: arithmetic that may wrap is of 32 bits, or of those of the cast around it (`(uint4_t)(x + 15)`); signed numbers
//! are casts (`(int32_t)x < -3`). Plain is only a negative number that a word is compared with, whose width is that of the word. So texts that are equal mean the same.
//!
//! Names (`@1`) stand for what a text uses again and again, and for what nests deeply; it is written out behind the text.

use super::nodes::{Node, Nodes};
use crate::modular::name::Names;
use crate::term::Op;
use crate::term::word::mask;
use crate::transition::relation::{Name, Relation};

/// Nodes that something may have that is written out wherever it is used.
const SHARED: usize = 12;
/// Depth to which expressions are written out.
const DEPTH: u32 = 48;

/// A conjunction.
pub fn told(names: &Names, relation: &Relation, nodes: &Nodes) -> String {
    told_behind(Vec::new(), names, relation, nodes)
}

/// A conjunction, behind comparisons that have been told.
pub fn told_behind(
    before: Vec<String>,
    names: &Names,
    relation: &Relation,
    nodes: &Nodes,
) -> String {
    let teller = Teller {
        names,
        relation,
        nodes: &nodes.all,
        named: named(nodes),
    };
    let before = before
        .into_iter()
        .map(|text| Text::new(text, Level::Compare));
    let conjuncts = nodes.conjuncts.iter().map(|c| teller.text(*c));
    let parts: Vec<Text> = before.chain(conjuncts).collect();
    let mut told = match &parts[..] {
        [] => "1".to_string(),
        [one] => one.text.clone(),
        _ => joined(&parts, " && "),
    };
    let defined = teller.named.iter().enumerate();
    let defined = defined.filter_map(|(node, name)| Some((node, (*name)?)));
    for (count, (node, name)) in defined.enumerate() {
        let text = teller.written(node).text;
        let before = if count == 0 { " where" } else { "," };
        told.push_str(&format!("{before} @{name} = {text}"));
    }
    told
}

/// Names of the nodes that are written once, behind the text.
fn named(nodes: &Nodes) -> Vec<Option<usize>> {
    let mut uses = vec![0usize; nodes.all.len()];
    let operands = nodes.all.iter().flat_map(|node| &node.operands);
    for operand in operands.chain(&nodes.conjuncts) {
        uses[*operand] += 1;
    }
    let mut known: Vec<(usize, u32)> = Vec::new();
    let (mut names, mut count) = (Vec::new(), 0);
    for (node, uses) in nodes.all.iter().zip(uses) {
        let below = node.operands.iter().map(|operand| known[*operand]);
        let (size, depth) = below.fold((1, 0), |(size, depth), (more, deep)| {
            (size + more, depth.max(deep + 1))
        });
        let name = (uses > 1 && size > SHARED || depth >= DEPTH).then(|| {
            count += 1;
            count
        });
        known.push(if name.is_some() {
            (1, 0)
        } else {
            (size, depth)
        });
        names.push(name);
    }
    names
}

/// A text, and what it is when it is an operand.
struct Text {
    text: String,
    level: Level,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Level {
    /// Names, numbers, and what has parentheses of its own.
    Atom,
    /// Comparisons and names of several words: bare beside `&&` and `||`.
    Compare,
    /// Everything else.
    Open,
}

impl Text {
    fn new(text: String, level: Level) -> Text {
        Text { text, level }
    }

    /// The text as an operand beside others.
    fn part(&self, bare: Level) -> String {
        if self.level <= bare {
            self.text.clone()
        } else {
            format!("({})", self.text)
        }
    }

    fn operand(&self) -> String {
        self.part(Level::Atom)
    }
}

/// Texts with an operator for conditions between them.
fn joined(parts: &[Text], operator: &str) -> String {
    let parts: Vec<String> = parts.iter().map(|p| p.part(Level::Compare)).collect();
    parts.join(operator)
}

struct Teller<'a> {
    names: &'a Names,
    relation: &'a Relation,
    nodes: &'a [Node],
    named: Vec<Option<usize>>,
}

impl Teller<'_> {
    /// A node where it is used.
    fn text(&self, node: usize) -> Text {
        match self.named[node] {
            Some(name) => Text::new(format!("@{name}"), Level::Atom),
            None => self.written(node),
        }
    }

    /// A node that is written out where it is used.
    fn inline(&self, node: usize) -> Option<&Node> {
        self.named[node].is_none().then(|| &self.nodes[node])
    }

    fn operand(&self, node: usize) -> String {
        self.text(node).operand()
    }

    fn binary(&self, operator: &str, a: usize, b: usize) -> String {
        format!("{} {operator} {}", self.operand(a), self.operand(b))
    }

    /// A node as it is.
    fn written(&self, index: usize) -> Text {
        let node = &self.nodes[index];
        let (bits, number) = (node.bits, node.number);
        let open = |text: String| Text::new(text, Level::Open);
        match (node.op, &node.operands[..]) {
            (Op::Variable, _) => self.word(number as usize),
            (Op::Not, &[a]) if bits == 1 => self.not(a),
            (Op::Not, &[a]) => wraps(bits, format!("~{}", self.operand(a))),
            (Op::And, _) if bits == 1 => {
                let mut parts = Vec::new();
                self.conjuncts(index, &mut parts);
                let parts: Vec<Text> = parts.into_iter().map(|part| self.text(part)).collect();
                open(joined(&parts, " && "))
            }
            (Op::Eq, &[a, b]) => self.equal("==", a, b),
            (Op::ULt, &[a, b]) => self.less("<", a, b),
            (Op::SLt, &[a, b]) => self.less_signed("<", a, b),
            (Op::Xor, &[a, b]) if bits == 1 => self.equal("!=", a, b),
            (Op::And, &[a, b]) => open(self.binary("&", a, b)),
            (Op::Xor, &[a, b]) => open(self.binary("^", a, b)),
            (Op::URem, &[a, b]) => open(self.binary("%", a, b)),
            (Op::LShr, &[a, b]) => open(self.binary(">>", a, b)),
            (Op::Add, &[a, b]) => wraps(bits, self.sum(a, b)),
            (Op::Sub, &[a, b]) => wraps(bits, self.binary("-", a, b)),
            (Op::Mul, &[a, b]) => wraps(bits, self.binary("*", a, b)),
            (Op::UDiv, &[a, b]) => wraps(bits, self.binary("/", a, b)),
            (Op::Shl, &[a, b]) => wraps(bits, self.binary("<<", a, b)),
            (Op::AShr, &[a, b]) => {
                let a = self.signed(a);
                atom(format!("(uint{bits}_t)({a} >> {})", self.operand(b)))
            }
            (Op::Ite, &[c, a, b]) => {
                let (c, a, b) = (self.operand(c), self.operand(a), self.operand(b));
                open(format!("{c} ? {a} : {b}"))
            }
            (Op::Concat, &[a, b]) => {
                let shifted = format!("{} << {}", self.operand(a), self.nodes[b].bits);
                // Nothing is lost in 32 bits if there are not more.
                let high = wraps(bits.max(32), shifted).operand();
                open(format!("{high} | {}", self.operand(b)))
            }
            (Op::Extract, &[a]) => self.extract(a, number as u32, bits),
            // The number is the same.
            (Op::ZeroExtend, &[a]) => self.text(a),
            (Op::SignExtend, &[a]) => atom(format!("(uint{bits}_t){}", self.signed(a))),
            // A constant.
            _ => atom(number.to_string()),
        }
    }

    fn word(&self, word: usize) -> Text {
        let name = self.names.words[word].clone();
        let level = if name.contains(' ') {
            Level::Compare
        } else {
            Level::Atom
        };
        Text::new(name, level)
    }

    /// The complement of a condition.
    fn not(&self, node: usize) -> Text {
        if let Some(inner) = self.inline(node) {
            match (inner.op, &inner.operands[..]) {
                (Op::Not, &[a]) => return self.text(a),
                (Op::Eq, &[a, b]) => return self.equal("!=", a, b),
                (Op::Xor, &[a, b]) => return self.equal("==", a, b),
                (Op::ULt, &[a, b]) => return self.less("<=", b, a),
                (Op::SLt, &[a, b]) => return self.less_signed("<=", b, a),
                (Op::And, _) => {
                    let mut parts = Vec::new();
                    self.conjuncts(node, &mut parts);
                    let parts: Vec<Text> = parts.into_iter().map(|part| self.not(part)).collect();
                    return Text::new(joined(&parts, " || "), Level::Open);
                }
                _ => {}
            }
        }
        atom(format!("!{}", self.operand(node)))
    }

    /// Conditions whose conjunction a node is.
    fn conjuncts(&self, node: usize, parts: &mut Vec<usize>) {
        for &operand in &self.nodes[node].operands {
            match self.inline(operand) {
                Some(inner) if inner.op == Op::And => self.conjuncts(operand, parts),
                _ => parts.push(operand),
            }
        }
    }

    fn constant(&self, node: usize) -> Option<u128> {
        let node = &self.nodes[node];
        (node.op == Op::Constant).then_some(node.number)
    }

    fn equal(&self, operator: &str, a: usize, b: usize) -> Text {
        let (a, b) = if self.constant(a).is_some() {
            (b, a)
        } else {
            (a, b)
        };
        let (node, value) = (&self.nodes[a], self.constant(b));
        if let (Op::Variable, Some(value)) = (node.op, value) {
            let word = node.number as usize;
            if let Name::Location(thread) = self.relation.words[word].name {
                let text = match operator {
                    "==" => self.names.at(thread, value as usize),
                    _ => self.names.not_at(thread, value as usize),
                };
                return Text::new(text, Level::Compare);
            }
            if node.bits >= 32 && value >> (node.bits - 1) == 1 {
                let text = format!(
                    "{} {operator} {}",
                    self.operand(a),
                    negative(value, node.bits)
                );
                return Text::new(text, Level::Compare);
            }
        }
        Text::new(self.binary(operator, a, b), Level::Compare)
    }

    /// Numbers without sign; where one of them may be negative with a sign, a cast says that it is not.
    fn less(&self, operator: &str, a: usize, b: usize) -> Text {
        let may = [a, b].into_iter().any(|node| self.may_be_negative(node));
        let side = |node: usize| match self.constant(node) {
            None if may => format!("(uint{}_t){}", self.nodes[node].bits, self.operand(node)),
            _ => self.operand(node),
        };
        Text::new(
            format!("{} {operator} {}", side(a), side(b)),
            Level::Compare,
        )
    }

    fn less_signed(&self, operator: &str, a: usize, b: usize) -> Text {
        let text = format!("{} {operator} {}", self.signed(a), self.signed(b));
        Text::new(text, Level::Compare)
    }

    /// A number with a sign.
    fn signed(&self, node: usize) -> String {
        let bits = self.nodes[node].bits;
        match self.constant(node) {
            Some(value) if value >> (bits - 1) == 1 => negative(value, bits),
            Some(value) => value.to_string(),
            None => format!("(int{bits}_t){}", self.operand(node)),
        }
    }

    /// Sign: true if the highest bit of a node may be set.
    fn may_be_negative(&self, node: usize) -> bool {
        let Node { op, bits, .. } = self.nodes[node];
        match op {
            Op::Constant => false,
            Op::ZeroExtend => bits == self.nodes[self.nodes[node].operands[0]].bits,
            _ => bits > 1 && self.greatest(node) >> (bits - 1) > 0,
        }
    }

    /// No less than what a node may be: known of words.
    fn greatest(&self, node: usize) -> u128 {
        let Node {
            op, bits, number, ..
        } = &self.nodes[node];
        match op {
            Op::Variable => self.greatest_word(&self.nodes[node]),
            Op::Extract => {
                let from = &self.nodes[self.nodes[node].operands[0]];
                match from.op {
                    Op::Variable => (self.greatest_word(from) >> number).min(mask(*bits)),
                    _ => mask(*bits),
                }
            }
            _ => mask(*bits),
        }
    }

    fn greatest_word(&self, variable: &Node) -> u128 {
        let word = self.relation.words[variable.number as usize].term;
        self.relation.terms.fact(word).hi
    }

    /// A sum without what it is cut to; sums of one width in a row have no parentheses.
    fn sum(&self, a: usize, b: usize) -> String {
        let bits = self.nodes[a].bits;
        let first = match self.inline(a) {
            Some(Node {
                op: Op::Add,
                operands,
                ..
            }) => self.sum(operands[0], operands[1]),
            _ => self.operand(a),
        };
        match self.constant(b) {
            Some(value) if bits >= 32 && value >> (bits - 1) == 1 => {
                format!("{first} - {}", mask(bits) - value + 1)
            }
            _ => format!("{first} + {}", self.operand(b)),
        }
    }

    fn extract(&self, from: usize, lo: u32, bits: u16) -> Text {
        let whole = self.greatest(from) >> lo <= mask(bits);
        let shifted = match lo {
            0 => self.text(from),
            _ => Text::new(format!("{} >> {lo}", self.operand(from)), Level::Open),
        };
        match bits {
            _ if whole => shifted,
            1 => Text::new(format!("{} & 1", shifted.operand()), Level::Open),
            _ => atom(format!("(uint{bits}_t){}", shifted.operand())),
        }
    }
}

fn atom(text: String) -> Text {
    Text::new(text, Level::Atom)
}

/// An operation of so many bits.
fn wraps(bits: u16, text: String) -> Text {
    match bits {
        32 => Text::new(text, Level::Open),
        _ => atom(format!("(uint{bits}_t)({text})")),
    }
}

fn negative(value: u128, bits: u16) -> String {
    format!("-{}", mask(bits) - value + 1)
}
