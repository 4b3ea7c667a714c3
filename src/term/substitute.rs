//! Terms with variables replaced by terms.

use super::node::Op;
use super::pool::VarSet;
use super::{Node, TermId, Terms, VarId};
use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;
use std::hash::BuildHasher;

/// Results of substitution under one environment, kept between calls.
///
/// The environment may grow between calls: results are then forgotten, as they may be stale. It must not
/// change otherwise.
#[derive(Clone, Default, Debug)]
pub struct Memo {
    results: HashMap<TermId, TermId, FxBuildHasher>,
    /// Variables of the environment, and how many there were.
    variables: Option<(VarSet, usize)>,
}

impl Memo {
    /// An empty memo.
    pub fn new() -> Memo {
        Memo::default()
    }

    fn start<S: BuildHasher>(&mut self, env: &HashMap<VarId, TermId, S>) -> VarSet {
        match self.variables {
            Some((set, count)) if count == env.len() => set,
            _ => {
                // A union does not depend on the order of the map.
                let set = env
                    .keys()
                    .fold(VarSet::EMPTY, |set, &var| set.union(VarSet::one(var)));
                self.results.clear();
                self.variables = Some((set, env.len()));
                set
            }
        }
    }
}

impl Terms {
    /// `t` with every variable of `env` replaced by its term, all at once, and simplified again. Terms whose
    /// cone has no such variable are returned unchanged, most of them in constant time.
    ///
    /// # Panics
    /// If a variable and its term differ in width.
    pub fn substitute<S: BuildHasher>(
        &mut self,
        t: TermId,
        env: &HashMap<VarId, TermId, S>,
        memo: &mut Memo,
    ) -> TermId {
        let replaced = memo.start(env);
        if self.var_set(t).is_disjoint(replaced) {
            return t;
        }
        let mut stack = vec![t];
        while let Some(&top) = stack.last() {
            if memo.results.contains_key(&top) {
                stack.pop();
                continue;
            }
            if let Some(var) = self.var_of(top) {
                let to = env.get(&var).copied().unwrap_or(top);
                assert_eq!(
                    self.bits(to),
                    self.bits(top),
                    "a term as wide as `{}`",
                    self.name(var)
                );
                memo.results.insert(top, to);
                stack.pop();
                continue;
            }
            let mut children = [TermId(0); 3];
            let mut arity = 0;
            let (mut missing, mut changed) = (false, false);
            for (i, child) in self.children(top).enumerate() {
                arity = i + 1;
                children[i] = child;
                if self.var_set(child).is_disjoint(replaced) {
                    continue;
                }
                match memo.results.get(&child) {
                    Some(&result) => {
                        children[i] = result;
                        changed |= result != child;
                    }
                    None => {
                        stack.push(child);
                        missing = true;
                    }
                }
            }
            if !missing {
                let result = if changed {
                    self.rebuild(top, &children[..arity])
                } else {
                    top
                };
                memo.results.insert(top, result);
                stack.pop();
            }
        }
        memo.results[&t]
    }

    /// The node `t` over other operands of the same widths.
    pub fn rebuild(&mut self, t: TermId, operands: &[TermId]) -> TermId {
        let bits = self.bits(t);
        match (self.node(t), operands) {
            (Node::Constant(_) | Node::Variable(_), _) => t,
            (Node::Not(_), &[a]) => self.not(a),
            (Node::Ite(..), &[c, a, b]) => self.ite(c, a, b),
            (Node::Concat(..), &[a, b]) => self.concat(a, b),
            (Node::Extract { lo, .. }, &[a]) => self.extract(a, lo, bits),
            (Node::ZeroExtend(_), &[a]) => self.zero_extend(a, bits),
            (Node::SignExtend(_), &[a]) => self.sign_extend(a, bits),
            (Node::Binary(op, ..), &[a, b]) => match op {
                Op::And => self.and(a, b),
                Op::Xor => self.xor(a, b),
                Op::Add => self.add(a, b),
                Op::Sub => self.sub(a, b),
                Op::Mul => self.mul(a, b),
                Op::UDiv => self.udiv(a, b),
                Op::URem => self.urem(a, b),
                Op::Shl => self.shl(a, b),
                Op::LShr => self.lshr(a, b),
                Op::AShr => self.ashr(a, b),
                Op::Eq => self.eq(a, b),
                Op::ULt => self.ult(a, b),
                Op::SLt => self.slt(a, b),
                _ => unreachable!("not a binary operator: {op:?}"),
            },
            _ => panic!(
                "{:?} has {} operands, not {}",
                self.op(t),
                self.op(t).arity(),
                operands.len()
            ),
        }
    }
}
