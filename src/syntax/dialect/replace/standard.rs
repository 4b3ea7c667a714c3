//! Attributes of C23 (6.7.12).

use super::{Kind, Walk};

impl Walk<'_, '_> {
    /// True if a list of such attributes starts at `at`.
    pub(super) fn is_standard_attribute(&self, at: usize) -> bool {
        self.is(at, "[") && self.is(at + 1, "[") && self.partner[at] == self.partner[at + 1] + 1
    }

    /// match: [[noreturn]] where a declaration begins; [[gnu::a, gnu::b(x)]], of attributes that matter
    /// result: _Noreturn; __attribute__((a)) __attribute__((b(x)))
    ///
    /// What else there is says nothing that matters here, and goes.
    pub(super) fn standard_attributes(&mut self, at: usize) -> usize {
        let (start, end) = (at + 2, self.partner[at + 1]);
        let begins = self.begins_declaration();
        let mut next = start;
        while next < end {
            let first = next;
            while next < end && !self.is(next, ",") {
                next = self.partner[next].max(next) + 1;
            }
            self.standard_attribute(first, next, begins);
            next += 1;
        }
        self.partner[at] + 1
    }

    /// One attribute: the tokens from `at` to before `end`.
    fn standard_attribute(&mut self, at: usize, end: usize, begins: bool) {
        let origin = self.tokens[at].origin;
        let is_gnu = self.tokens[at].is_one(&["gnu", "__gnu__", "clang", "_Clang"])
            && self.is(at + 1, ":")
            && self.is(at + 2, ":");
        if is_gnu && self.is_meaningful(at + 3, (at + 4).min(end)) {
            self.push_all("__attribute__ ( (", origin);
            let parentheses = self.out.len() - 2;
            for (parenthesis, offset) in self.out[parentheses..].iter_mut().zip(13..) {
                parenthesis.origin = origin + offset;
            }
            self.range(at + 3, end);
            self.push_all(") )", origin);
        } else if begins
            && self.tokens[at].kind == Kind::Word
            && self.tokens[at].is_one(&["noreturn", "_Noreturn", "__noreturn__"])
        {
            self.push_all("_Noreturn", origin);
        }
    }
}
