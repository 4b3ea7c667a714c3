//! Rewritings of the names of types: attributes within them, `typeof`, comparisons, 128-bit integers.

use super::{Kind, Walk, attribute};

impl Walk<'_, '_> {
    /// match: _Alignas(n), _Alignas(T) (which the parser does not take in structures)
    /// result: __attribute__((__selvedge_alignas__(n))), __attribute__((__selvedge_alignas__(_Alignof(T))))
    pub(super) fn alignas(&mut self, at: usize, close: usize) -> usize {
        let origin = self.tokens[at].origin;
        let first = &self.tokens[at + 2];
        let of_type = first.kind == Kind::Word
            && !first.is_one(&["sizeof", "_Alignof", "alignof", "__alignof__", "__alignof"]);
        self.respell(at, "__attribute__");
        let list = self.out.len();
        self.push_all("( ( __selvedge_alignas__ (", origin);
        for (parenthesis, offset) in self.out[list..].iter_mut().take(2).zip(13..) {
            parenthesis.origin = origin + offset;
        }
        if of_type {
            self.push_all("_Alignof (", origin);
        }
        self.range(at + 2, close);
        if of_type {
            self.push_all(")", origin);
        }
        self.push_all(") ) )", self.tokens[close].origin);
        close + 1
    }

    /// match: struct __attribute__((a)) tag { … }, and the same with [[gnu::a]]
    /// result: struct tag { … } __attribute__((a))
    ///
    /// Without members the attribute says nothing, and goes.
    pub(super) fn attributed_type(&mut self, at: usize) -> usize {
        self.copy(at);
        let mut next = at + 1;
        let mut attributes = Vec::new();
        loop {
            let end = if self.is_attribute(next) {
                self.partner[next + 1] + 1
            } else if self.is_standard_attribute(next) {
                self.partner[next] + 1
            } else {
                break;
            };
            attributes.push(next);
            next = end;
        }
        if self
            .tokens
            .get(next)
            .is_some_and(|token| token.kind == Kind::Word)
        {
            next = self.word(next, next + 1);
        }
        if self.is(next, "{") {
            let close = self.partner[next];
            self.range(next, close + 1);
            next = close + 1;
            for attribute in attributes {
                self.step(attribute, next);
            }
        }
        next
    }

    /// match: __builtin_types_compatible_p(A, B)
    /// result: _Generic(__builtin_types_compatible_p, A: 0, B: 0), which lowering knows
    pub(super) fn types_compatible(&mut self, at: usize, close: usize) -> usize {
        let origin = self.tokens[at].origin;
        let comma = (at + 2..close).scan(at + 1, |skip, i| {
            // Commas within brackets are no separators.
            if i <= *skip && i != at + 2 {
                return Some(None);
            }
            if self.partner[i] > i {
                *skip = self.partner[i];
            }
            Some(self.is(i, ",").then_some(i))
        });
        let Some(comma) = comma.flatten().next() else {
            return self.copy(at);
        };
        self.push_all("_Generic ( __builtin_types_compatible_p ,", origin);
        self.range(at + 2, comma);
        self.push_all(": 0 ,", self.tokens[comma].origin);
        self.range(comma + 1, close);
        self.push_all(": 0 )", self.tokens[close].origin);
        close + 1
    }

    /// The tokens from `at` to before `end`, an expression or a type, as a type.
    pub(super) fn type_of(&mut self, at: usize, end: usize) {
        if self.is_type_of(at, end) {
            return self.range(at, end);
        }
        self.push_all("__typeof__ (", self.tokens[at].origin);
        self.typeof_operand(at, end);
        self.push_all(")", self.tokens[end].origin);
    }

    /// match: typeof(T *), typeof(T (*)(int)) (the parser takes a name that stands first for an expression)
    /// result: typeof(__attribute__((mark)) T *): an expression does not begin so
    pub(super) fn typeof_operand(&mut self, at: usize, end: usize) {
        if self.tokens[at].kind == Kind::Word && self.ends_as_type(at, end) {
            let origin = self.tokens[at].origin;
            attribute(&mut self.out, "__selvedge_type__", origin);
        }
        self.range(at, end);
    }

    /// Names of types: true if what begins with a name can only be the name of a type: `T *`, `T *const`, `T (*)…`.
    pub(super) fn ends_as_type(&self, at: usize, end: usize) -> bool {
        let mut last = end;
        while last > at + 1 && self.tokens[last - 1].is_one(&["const", "volatile", "restrict"]) {
            last -= 1;
        }
        let is_pointer = last > at + 1 && self.is(last - 1, "*");
        let is_function = self.is(at + 1, "(")
            && self.is(at + 2, "*")
            && (self.is(at + 3, ")") || self.is(at + 3, "["));
        is_pointer || is_function
    }

    pub(super) fn starts_with_typeof(&self, at: usize) -> bool {
        ["typeof", "__typeof__", "__typeof"]
            .iter()
            .any(|word| self.is(at, word))
    }

    /// True if the tokens from `at` to before `end` are one `typeof(…)`. (The parser takes that for a call where both
    /// may stand.)
    pub(super) fn is_type_of(&self, at: usize, end: usize) -> bool {
        self.starts_with_typeof(at) && self.is(at + 1, "(") && self.partner[at + 1] + 1 == end
    }

    /// match: typedef float _Float32;  (a name that the parser reserves)
    /// result: nothing
    pub(super) fn typedef(&mut self, at: usize, end: usize) -> usize {
        // The next `typedef` ends the search too: no declaration has two, and text that repeats the word stays linear.
        let stop = (at + 1..end).find(|i| self.tokens[*i].is_one(&[";", "typedef"]));
        let semicolon = stop.filter(|i| self.is(*i, ";"));
        match semicolon {
            Some(semicolon)
                if self.tokens[semicolon - 1].text.starts_with("_Float")
                    || self.tokens[semicolon - 1].is_one(&["__int128_t", "__uint128_t"]) =>
            {
                semicolon + 1
            }
            _ => self.copy(at),
        }
    }

    /// match: __int128, unsigned __int128, __int128 unsigned
    /// result: __int128_t or __uint128_t
    pub(super) fn wide(&mut self, at: usize, unsigned: bool) -> usize {
        self.wide = true;
        let behind = self
            .tokens
            .get(at + 1)
            .filter(|next| next.is_one(&["unsigned", "signed"]));
        let unsigned = unsigned || behind.is_some_and(|next| next.is("unsigned"));
        let skip = usize::from(behind.is_some());
        self.respell(
            at,
            if unsigned {
                "__uint128_t"
            } else {
                "__int128_t"
            },
        ) + skip
    }
}
