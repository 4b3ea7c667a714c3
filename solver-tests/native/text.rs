//! Functions of the library on texts: formats, numbers in texts, words of a text, searches and sorts.

use super::writer::Writer;

impl Writer {
    /// A format, as a literal, and its arguments, each behind a comma.
    pub(super) fn format(&mut self) -> (String, String) {
        let (mut format, mut args) = (String::new(), String::new());
        for _ in 0..self.random.between(1, 4) {
            let text = *self.random.pick(&["", "a", " = ", "%%", "x:"]);
            format.push_str(text);
            format.push('%');
            let width = match self.random.below(4) {
                0 => self.random.between(1, 12).to_string(),
                1 => "*".to_string(),
                _ => String::new(),
            };
            let precision = match self.random.below(5) {
                0 => format!(".{}", self.random.below(9)),
                1 => ".*".to_string(),
                2 if self.random.chance(30) => ".".to_string(),
                _ => String::new(),
            };
            let minus = if self.random.chance(30) { "-" } else { "" };
            let stars = |writer: &mut Writer, args: &mut String, precise: bool| {
                if width == "*" {
                    args.push_str(&format!(", {}", writer.random.between(-9, 9)));
                }
                if precise && precision == ".*" {
                    args.push_str(&format!(", {}", writer.random.between(-2, 9)));
                }
            };
            match self.random.below(8) {
                0 => {
                    format.push_str(&format!("{minus}{width}c"));
                    stars(self, &mut args, false);
                    args.push_str(&format!(", (int)({}) & 127 | 1", self.expr(1)));
                }
                1 | 2 => {
                    format.push_str(&format!("{minus}{width}{precision}s"));
                    stars(self, &mut args, true);
                    let text = *self.random.pick(&["\"\"", "\"weft\"", "\"a b\" \"c\""]);
                    args.push_str(&format!(", {text}"));
                }
                kind => {
                    let is_signed = kind < 6;
                    let zero = if self.random.chance(25) { "0" } else { "" };
                    let more = if is_signed {
                        *self.random.pick(&["", "", "+", " "])
                    } else {
                        ""
                    };
                    let (length, ty) = *self.random.pick(&[
                        ("", "int"),
                        ("", "int"),
                        ("hh", "int"),
                        ("h", "int"),
                        ("l", "long"),
                        ("ll", "long long"),
                        ("j", "long"),
                        ("z", "long"),
                    ]);
                    let (letter, ty) = if is_signed {
                        (*self.random.pick(&["d", "i"]), ty.to_string())
                    } else {
                        (
                            *self.random.pick(&["u", "x", "X", "o", "#x", "#X", "#o"]),
                            format!("unsigned {ty}"),
                        )
                    };
                    let (hash, letter) = match letter.strip_prefix('#') {
                        Some(letter) => ("#", letter),
                        None => ("", letter),
                    };
                    format.push_str(&format!(
                        "{hash}{minus}{more}{zero}{width}{precision}{length}{letter}"
                    ));
                    stars(self, &mut args, true);
                    args.push_str(&format!(", ({ty})({})", self.expr(1)));
                }
            }
        }
        (format!("\"{format}\""), args)
    }

    /// Formatted output into an array, which may be too short.
    pub(super) fn formatted(&mut self) {
        let (format, args) = self.format();
        let size = self.random.below(40);
        self.add(&format!(
            "char b[240]; memset(b, 1, sizeof b); int n = snprintf({size} ? b : 0, {size}, {format}{args});
             P_mix(n); for (int i = 0; i <= n && i < {size}; i++) P_mix(b[i]);"
        ));
        let (format, args) = self.format();
        self.add(&format!(
            "n = sprintf(b, {format}{args}); P_mix(n); P_mix(strlen(b)); for (int i = 0; i <= n; i++) P_mix(b[i]);"
        ));
    }

    /// Numbers that stand in texts.
    pub(super) fn numbers_in_texts(&mut self) {
        let texts = [
            "",
            "0",
            "-1",
            "  42",
            "+7z",
            "0x1F",
            "0X",
            "077",
            "08",
            "zz",
            "-0x10",
            "9223372036854775807",
            "99999999999999999999",
            "-9223372036854775809",
            "\\t 12 13",
            "- 1",
            "1010102",
        ];
        let text = *self.random.pick(&texts);
        let (small, large) = (
            self.random.between(-3000, 3000),
            self.random.between(-3_000_000_000, 3_000_000_000),
        );
        let base = *self.random.pick(&[0, 10, 10, 16, 8, 2, 36]);
        let name = *self
            .random
            .pick(&["strtol", "strtoul", "strtoll", "strtoull"]);
        self.add(&format!(
            "const char *t = \"{text}\"; char *end = 0; P_mix({name}(t, &end, {base})); P_mix(end - t); P_mix({name}(t, 0, {base}));
             P_mix(atoi(\"{small}\")); P_mix(atol(\"{large}\"));"
        ));
    }

    /// The words of a text, one after the other.
    pub(super) fn words(&mut self) {
        let text = *self
            .random
            .pick(&["weft,warp;edge", ",,a;;b,", "", ";;;", "one", "a b,c d"]);
        let (first, other) = (
            *self.random.pick(&[",", ";", ",;", " ", ""]),
            *self.random.pick(&[",;", " ", ";", "e"]),
        );
        let k = self.random.between(0, 2);
        let reentrant = self.random.chance(50);
        let (begin, next) = if reentrant {
            (
                format!("strtok_r(t, \"{first}\", &rest)"),
                format!("strtok_r(0, n < {k} ? \"{first}\" : \"{other}\", &rest)"),
            )
        } else {
            (
                format!("strtok(t, \"{first}\")"),
                format!("strtok(0, n < {k} ? \"{first}\" : \"{other}\")"),
            )
        };
        self.add(&format!(
            "char t[] = \"{text}\", *rest = 0, *at = t; int n = 0; char u[sizeof t]; memcpy(u, t, sizeof u);
             for (char *w = {begin}; w; w = {next}) {{ P_mix(w - t); P_mix(strlen(w)); n++; }}
             P_mix(n); for (unsigned i = 0; i < sizeof t; i++) P_mix(t[i]);
             char *q = u; while ((at = strsep(&q, \"{other}\"))) {{ P_mix(at - u); P_mix(*at); }}
             char v[40], *e = stpcpy(stpcpy(v, \"{first}\"), \"{text}\"); P_mix(e - v); P_mix(strchrnul(v, ';') - v);
             P_mix(strncasecmp(\"Weft\", v, {k}) == 0); void *m = memrchr(v, 'e', e - v); P_mix(m ? (char *)m - v : -1);"
        ));
    }

    /// Characters: what `<ctype.h>` says of them, and what it makes of them.
    pub(super) fn characters(&mut self) {
        let names = [
            "isdigit", "isalpha", "isalnum", "isspace", "isupper", "islower", "isxdigit",
            "ispunct", "isprint", "isgraph", "iscntrl", "isblank",
        ];
        let (a, b) = (*self.random.pick(&names), *self.random.pick(&names));
        let value = self.expr(1);
        let from = self.random.below(100);
        self.add(&format!(
            "for (int c = {from}; c < {from} + 20; c++) P_mix(!!{a}(c) + 2 * !!{b}(c) + 4 * toupper(c) + 1024 * tolower(c));
             int c = (int)({value}) & 255; P_mix(!!{a}(c)); P_mix(!!{b}(c));"
        ));
    }

    /// Sorted by the library, then searched.
    pub(super) fn sorted(&mut self) {
        let id = self.name("f");
        let (int, value) = (self.int().name, self.expr(1));
        let (count, key) = (self.random.between(1, 7), self.random.below(12));
        let down = *self.random.pick(&["<", ">"]);
        self.helper(&format!(
            "struct {id}s {{ char tag; {int} key; }};
static int {id}less(const void *a, const void *b) {{
const struct {id}s *x = a, *y = b; return x->key != y->key ? x->key {down} y->key ? -1 : 1 : x->tag - y->tag; }}
static int {id}find(const void *a, const void *b) {{ {int} x = *(const {int} *)a, y = ((const struct {id}s *)b)->key; return x == y ? 0 : x {down} y ? -1 : 1; }}"
        ));
        self.add(&format!(
            "struct {id}s v[{count}]; for (int i = 0; i < {count}; i++) {{ v[i].key = ({value}) * (i * 7 + 5) % 13; v[i].tag = i; }}
             qsort(v, {count}, sizeof *v, {id}less); for (int i = 0; i < {count}; i++) {{ P_mix(v[i].key); P_mix(v[i].tag); }}
             {int} k = {key}; struct {id}s *s = bsearch(&k, v, {count}, sizeof v[0], {id}find); P_mix(s ? s->key : -1);"
        ));
    }
}
