//! Terms as S-expressions. Nodes that occur more than once get a name of their own (`%id`), defined before
//! their first use, so that the text is linear in the size of the cone.

use super::{Node, TermId, Terms};
use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;
use std::fmt::Write;

impl Terms {
    /// The term as text: one line per shared or deeply nested node, `%id = (operator operands…)`, the term
    /// itself last.
    pub fn show(&self, t: TermId) -> String {
        self.show_all(&[t])
    }

    /// Several terms as text, with common definitions.
    pub fn show_all(&self, roots: &[TermId]) -> String {
        let cone = self.cone(roots);
        let mut uses: HashMap<TermId, u32, FxBuildHasher> = HashMap::default();
        for &t in &cone {
            for child in self.children(t) {
                *uses.entry(child).or_default() += 1;
            }
        }
        let mut text = String::new();
        // Text of nodes that are written where they are used, with their nesting depth.
        let mut inline: HashMap<TermId, (String, u32), FxBuildHasher> = HashMap::default();
        for &t in &cone {
            let (expression, depth) = self.expression(t, &inline);
            let count = uses.get(&t).copied().unwrap_or(0);
            let leaf = self.children(t).len() == 0;
            if !leaf && (count > 1 || depth > 16 || count == 1 && roots.contains(&t)) {
                let _ = writeln!(text, "%{} = {expression}", t.0);
                inline.insert(t, (format!("%{}", t.0), 0));
            } else {
                inline.insert(t, (expression, depth));
            }
        }
        for root in roots {
            let _ = writeln!(text, "{}", inline[root].0);
        }
        text
    }

    fn expression(
        &self,
        t: TermId,
        inline: &HashMap<TermId, (String, u32), FxBuildHasher>,
    ) -> (String, u32) {
        let bits = self.bits(t);
        let head = match self.node(t) {
            Node::Constant(value) if bits == 1 => {
                return (if value == 1 { "true" } else { "false" }.into(), 0);
            }
            Node::Constant(value) => return (format!("{value}:{bits}"), 0),
            Node::Variable(var) => {
                let name = self.name(var);
                return if name.is_empty() {
                    (format!("v{}:{bits}", var.0), 0)
                } else {
                    (format!("{name}:{bits}"), 0)
                };
            }
            Node::Extract { lo, .. } => format!("extract[{}:{lo}]", lo + bits - 1),
            Node::ZeroExtend(_) | Node::SignExtend(_) => format!("{}[{bits}]", self.op(t).name()),
            _ => self.op(t).name().to_string(),
        };
        let mut text = format!("({head}");
        let mut depth = 0;
        for child in self.children(t) {
            let (part, nested) = &inline[&child];
            let _ = write!(text, " {part}");
            depth = depth.max(nested + 1);
        }
        text.push(')');
        (text, depth)
    }
}
