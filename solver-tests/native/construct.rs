//! Constructs of C11 and GNU C that random expressions do not come to: arrays of variable length as parameters and
//! types, cleanup handlers, selection by type and by range, bit-fields and unions over the same bytes, packing.

use super::shape::Shape;
use super::writer::Writer;

impl Writer {
    /// Arrays whose sizes are values: as parameters, types, rows, and left in the middle.
    pub(super) fn arrays_of_any_length(&mut self) {
        let id = self.name("f");
        let (int, value) = (self.int().name, self.expr(1));
        let (n, k) = (self.random.between(1, 4), self.random.between(0, 3));
        let leave = *self.random.pick(&["break", "continue", "goto out"]);
        self.helper(&format!(
            "static unsigned long {id}(int n, int m, {int} grid[n][m], {int} (*row)[m]) {{
unsigned long s = sizeof *grid + sizeof grid[0][0]; for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) s = s * 5 + grid[i][j];
return s * 3 + (*row)[m - 1] + (row - grid); }}
static unsigned long {id}deep(int n) {{ char own[n + 1]; own[n] = n * 3; own[0] = n ? (char){id}deep(n - 1) : 9; return own[n] * 7 + own[0] + sizeof own; }}"
        ));
        self.add(&format!(
            "int n = {n}, m = (({value}) & 3) + 1; typedef {int} row_t[m]; row_t grid[n], *row = grid + n - 1; int was = m;
             P_mix(sizeof(row_t)); P_mix(sizeof(int[m++])); P_mix(m); P_mix(sizeof grid); P_mix(sizeof *row / sizeof **row);
             for (int i = 0; i < n; i++) for (int j = 0; j < was; j++) grid[i][j] = i * 7 - j + (({value}) & 15);
             P_mix({id}(n, was, grid, row)); P_mix({id}deep({n})); P_mix((char *)row - (char *)grid); P_mix((*row)[was - 1]); P_mix(&grid[n] - row);
             for (int i = 1; i < 5; i++) {{ {int} part[i][2]; part[i - 1][1] = i * 3 + 1; part[0][0] = i; if (i == {k}) {leave};
             {int} more[sizeof part / sizeof part[0]]; more[i - 1] = part[i - 1][1]; P_mix(more[i - 1]); P_mix(part[0][0]); P_mix(sizeof more); }}
             out: {{ int again = 0; back:; {int} late[again + 1]; late[again] = again + 4; P_mix(late[again]); P_mix(sizeof late); if (again++ < {k}) goto back; }}"
        ).replace("out:", &format!("{id}out:")).replace("goto out", &format!("goto {id}out")).replace("back", &format!("{id}back")));
    }

    /// Functions that run where variables go out of scope, in the opposite order.
    pub(super) fn cleaned_up(&mut self) {
        let id = self.name("f");
        let (value, k) = (self.expr(1), self.random.between(0, 4));
        let leave = *self
            .random
            .pick(&["break", "continue", "goto out", "return 3"]);
        let inner = *self.random.pick(&[
            "__attribute__((cleanup(P_end)))",
            "__attribute__((__cleanup__(P_other)))",
        ]);
        let text = format!(
            "static void P_end(int *v) {{ P_mix(*v * 2 + 1); }} static void P_other(int *v) {{ P_mix(*v + 100); *v = 7; }}
static unsigned long P_go(int x) {{ int i = 0; int first __attribute__((cleanup(P_end))) = x & 63;
for (; i < 4; i++) {{ {inner} int a = i + 1, b = a * 10; if (i == {k}) {leave}; {{ __attribute__((cleanup(P_other))) int c = b + (x & 7); if (x & 2) continue; c++; }} a += b; }}
P_mix(i); first++; switch (x & 3) {{ case 0: {{ int d __attribute__((cleanup(P_end))) = 50; if (x & 4) return first + d; break; }} default: P_mix(5); }}
out: return first; }}"
        );
        let named = ["P_end", "P_other", "P_go"]
            .iter()
            .fold(text, |text, name| {
                text.replace(name, &format!("{id}{}", &name[2..]))
            });
        // The checksum's own function keeps its name.
        self.helper(&named);
        self.add(&format!("P_mix({id}go({value})); P_mix({id}go({k}));"));
    }

    /// Generic selection, by the type of an expression.
    pub(super) fn chosen_by_type(&mut self) {
        let record = self.random.below(self.records.len());
        let name = super::shape::type_name(&self.records[record]);
        let (int, value) = (self.int().name, self.expr(1));
        let init = self.initialiser(&Shape::Record(record), false);
        let list = "int: 1, unsigned: 2, long: 3, unsigned long: 4, long long: 5, unsigned long long: 6, float: 7, double: 8, \
             __int128: 9, unsigned __int128: 10, _Bool: 11, char: 12, signed char: 13, unsigned char: 14, short: 15, unsigned short: 16, \
             char *: 17, const char *: 18, int *: 19, const int *: 20, int **: 21, int (*)[3]: 22, unsigned long (*)(unsigned long, int): 23, void *: 24, default: 25";
        let mut asked = Vec::new();
        let number = self.number(1);
        for _ in 0..8 {
            asked.push(match self.random.below(18) {
                0 => "x".to_string(),
                1 => "+x".to_string(),
                2 => format!("x + ({value})"),
                3 => "x ? x : 1u".to_string(),
                4 => "text".to_string(),
                5 => "&text[0]".to_string(),
                6 => "\"abc\"".to_string(),
                7 => "three".to_string(),
                8 => "&three".to_string(),
                9 => "P_u0".to_string(),
                10 => "s".to_string(),
                11 => "(volatile const int)x".to_string(),
                12 => number.clone(),
                13 => "fixed".to_string(),
                14 => "fixed + 1".to_string(),
                15 => "0 ? (void *)0 : &three[1]".to_string(),
                16 => "x << 1ull".to_string(),
                _ => "(x++, x) == 3".to_string(),
            });
        }
        let mixes: Vec<String> = asked
            .iter()
            .map(|e| format!("P_mix(_Generic(({e}), {list}));"))
            .collect();
        self.add(&format!(
            "{int} x = {value}, y = 3; char text[4] = \"ab\"; const char fixed[] = \"xyz\"; int three[3] = {{ 1, 2, 3 }}; {name} s = {init}; (void)s;
             {}
             P_mix(_Generic(s, {name}: 1, default: 2)); P_mix(_Generic(&s, const {name} *: 1, {name} *: 2, void *: 3));
             P_mix(*_Generic(x, default: &y, char: &text[0], int: &x)); _Generic(y, default: y, short: x) += 2; P_mix(y); P_mix(x);
             P_mix(_Generic((char)1, int: 1, char: _Generic(three, int *: 2, default: 3)));",
            mixes.join("\n")
        ));
    }

    /// Ranges of many kinds, in any order, with and without fall through.
    pub(super) fn ranges(&mut self) {
        let mut all = vec![
            "-200 ... -100",
            "-99",
            "-5 ... -1",
            "0",
            "1 ... 1",
            "2 ... 40",
            "'0' ... '9'",
            "60 ... 90",
            "100 ... 127",
            "128 ... 250",
            "255",
            "256 ... 0x7fff",
            "0x8000 ... 0xffff",
            "0x10000 ... 0x7fffffff",
        ];
        let ty = *self.random.pick(&[
            "signed char",
            "unsigned char",
            "short",
            "int",
            "unsigned",
            "long",
            "unsigned long",
            "long long",
        ]);
        if ty.ends_with("long") {
            all.push("0x100000000 ... 0x7fffffffffffffff");
        }
        let mut cases = String::new();
        let default = self.random.below(all.len());
        for i in 0..all.len() {
            let at = self.random.below(all.len());
            let label = all.swap_remove(at);
            let stop = *self.random.pick(&["", "break;", "break;", "continue;"]);
            cases.push_str(&format!("case {label}: P_mix({i}); {stop}\n"));
            if i == default {
                cases.push_str("default: P_mix(77); if (n & 1) break;\n");
            }
        }
        let value = self.expr(2);
        let step = *self
            .random
            .pick(&["1", "97", "30000", "0x12345678", "0x3456789abcdll"]);
        self.add(&format!(
            "for (int n = 0; n < 9; n++) {{ switch (({ty})(({value}) + (n - 4) * {step})) {{\n{cases}}} P_mix(n); }}"
        ));
    }

    /// Bit-fields of all types and widths over the bytes of a word.
    pub(super) fn fields_over_bytes(&mut self) {
        let id = self.name("s");
        let p = self.prefix.clone();
        let mut left: u32 = 64;
        let mut fields = Vec::new();
        while left > 0 {
            let (ty, bits) = *self.random.pick(&[
                ("_Bool", 1),
                ("unsigned char", 8),
                ("signed char", 8),
                ("char", 8),
                ("short", 16),
                ("unsigned short", 16),
                ("int", 32),
                ("unsigned", 32),
                ("enum P_color", 32),
                ("long", 64),
                ("unsigned long", 64),
                ("long long", 64),
                ("unsigned long long", 64),
            ]);
            let most = left.min(bits);
            let width = if self.random.chance(15) {
                most
            } else {
                1 + self.random.below(most as usize) as u32
            };
            fields.push((ty, width));
            left -= width;
        }
        let members: String = fields
            .iter()
            .enumerate()
            .map(|(i, (ty, width))| format!("{ty} f{i} : {width}; "))
            .collect();
        // Packed, they fill the word without gaps.
        self.helper(&format!(
            "enum P_{id}c {{ P_{id}A, P_{id}B = 3 }}; struct P_{id} {{ {members}}} __attribute__((packed));
union P_{id}u {{ unsigned long word; struct P_{id} f; unsigned char b[8]; }};"
        ).replace("enum P_color", &format!("enum {p}{id}c")));
        let word = self.expr(1);
        self.add(&format!(
            "union P_{id}u u = {{ .word = (unsigned long)({word}) * 0x9e3779b97f4a7c15ul }}, v; P_mix(sizeof(struct P_{id})); P_mix(sizeof u);"
        ));
        for _ in 0..5 {
            let at = self.random.below(fields.len());
            let (ty, width) = fields[at];
            let ty = ty.replace("enum P_color", "unsigned");
            let value = self.expr(1);
            let object = *self.random.pick(&["u.f", "(&u)->f", "v.f"]);
            self.line("v = u;");
            let change = match self.random.below(7) {
                0 => format!("{object}.f{at}++;"),
                1 => format!("--{object}.f{at};"),
                2 => format!("{object}.f{at} ^= {value};"),
                3 => format!("{object}.f{at} += {value};"),
                4 if width < 32 => format!("{object}.f{at} = {object}.f{at} << 1 | 1;"),
                5 => format!("P_mix(({ty})({object}.f{at} = {value}));"),
                _ => format!("{object}.f{at} = {value};"),
            };
            self.add(&format!(
                "{change} P_mix(({ty}){object}.f{at}); P_mix(v.word); P_mix(u.word);"
            ));
            if width < 32 {
                self.add(&format!(
                    "P_mix({object}.f{at} < -1); P_mix(sizeof(+{object}.f{at})); P_mix({object}.f{at} - 1 < 0); P_mix(~{object}.f{at});"
                ));
            }
        }
        self.add("for (int i = 0; i < 8; i++) P_mix(u.b[i] + 3 * v.b[i]);");
    }

    /// Members that lie closer than their types ask for.
    pub(super) fn closer(&mut self) {
        let id = self.name("s");
        let (a, b, c) = (self.int().name, self.int().name, self.int().name);
        let (limit, raised) = (
            *self.random.pick(&[1, 2, 4, 8]),
            *self.random.pick(&[1, 2, 4, 8, 16, 32]),
        );
        let (value, k) = (self.expr(1), self.random.between(0, 2));
        let width = self.random.between(1, 7);
        self.helper(&format!(
            "#pragma pack(push, {limit})
struct P_{id} {{ char head; {a} x; struct {{ short s; {b} y[2]; }} in; unsigned f : {width}, : 0, g : 9; double d; {c} last; }};
#pragma pack(pop)
struct P_{id}one {{ char head; {b} x __attribute__((packed)); {c} y; {a} z __attribute__((packed, aligned(2))); }};
struct __attribute__((aligned({raised}))) P_{id}up {{ char head; {a} x; }}; typedef {b} P_{id}t __attribute__((aligned({raised})));
struct P_{id}in {{ char c; struct P_{id}up up; struct P_{id} low; P_{id}t t; }};"
        ));
        let asked = ["", "one", "up", "in"].map(|tail| {
            format!("P_mix(sizeof(struct P_{id}{tail})); P_mix(_Alignof(struct P_{id}{tail}));")
        });
        self.add(&format!(
            "{} P_mix(__builtin_offsetof(struct P_{id}, x)); P_mix(__builtin_offsetof(struct P_{id}, in.y[1])); P_mix(__builtin_offsetof(struct P_{id}, last));
             P_mix(__builtin_offsetof(struct P_{id}one, y)); P_mix(__builtin_offsetof(struct P_{id}one, z)); P_mix(__builtin_offsetof(struct P_{id}in, low.d)); P_mix(__builtin_offsetof(struct P_{id}in, t));
             struct P_{id} v[3], *p = &v[{k}]; memset(v, 0x35, sizeof v); p->x = {value}; p->in.y[1] = p->x; p->f = p->x; p->g = 300; p->d = p->in.s; p->last = {value};
             unsigned char *raw = (unsigned char *)v; for (unsigned i = 0; i < sizeof v; i++) P_mix(raw[i]);
             struct P_{id}in w = {{ 1, {{ 2, {value} }}, *p, 5 }}, z[2]; z[1] = w; P_mix(z[1].up.x); P_mix(z[1].low.in.y[1]); P_mix(z[1].low.g); P_mixd(z[1].low.d); P_mix(z[1].t);
             struct P_{id}one o = {{ 1, {value}, 3, {value} }}, q = o; q.z++; o.x--; P_mix(q.x); P_mix(q.z); P_mix(o.x + o.y);",
            asked.join(" ")
        ));
    }

    /// Literals of arrays and records that live as long as their block, and values of statements.
    pub(super) fn literals_in_blocks(&mut self) {
        let id = self.name("s");
        let (int, value) = (self.int().name, self.expr(1));
        let (low, k) = (self.random.below(3), self.random.between(1, 5));
        let high = low + 1 + self.random.below(3);
        self.helper(&format!(
            "struct P_{id} {{ {int} a; struct P_{id} *next; {int} b[8]; }};
static {int} *P_{id}kept = ({int}[]){{ 1, [{low} ... {high}] = {k}, 9 }};
static struct P_{id} P_{id}two = {{ 5, &(struct P_{id}){{ .b = {{ [{low} ... {high}] = 3, 4 }}, .a = 6 }} }};
static {int} P_{id}sum(const struct P_{id} *p) {{ {int} s = 0; for (; p; p = p->next) {{ s += p->a; for (int i = 0; i < 8; i++) s = s * 3 + p->b[i]; }} return s; }}
static struct P_{id} P_{id}made({int} a, struct P_{id} from) {{ from.a += a; from.b[{low}] ^= a; return from; }}"
        ));
        self.add(&format!(
            "P_mix(P_{id}sum(&P_{id}two)); for (int i = 0; i <= {high} + 1; i++) P_mix(P_{id}kept[i]);
             for (int i = 0; i < 3; i++) {{ {int} *t = ({int}[4]){{ [1 ... 2] = i }}; t[1] += 5; t[3]--; P_mix(t[0] + t[1] * 3 + t[2] * 9 + t[3]); }}
             P_mix(P_{id}sum(&(struct P_{id}){{ {value}, &(struct P_{id}){{ {k}, 0, {{ 1, 2, [7] = {value} }} }}, {{ [{low} ... {high}] = {value} }} }}));
             struct P_{id} m = P_{id}made({k}, P_{id}made({value}, (struct P_{id}){{ .b[1 ... 3] = 7, .b[2] = 1, .a = 2 }})); P_mix(P_{id}sum(&m)); P_mix(P_{id}made(1, m).b[{low}]);
             P_mix(({{ struct P_{id} n = m; n.next = &m; n.a++; P_{id}sum(&n); }})); P_mix(({{ struct P_{id} n = m; n.b[0] = 3; n; }}).b[0]); P_mix(P_{id}sum(&m));
             int n = 0; P_mix(({{ if (m.a & 1) n = 5; else {{ n = 6; }} n++; }}) + 1); P_mix(n); P_mix(({{ P_mix(4); ({{ n += 2; n; }}); }}) * 2);
             while (({{ n--; n > 3; }})) P_mix(n); P_mix((m.a ? m : P_{id}two).b[1]); m = (n ? P_{id}two : m); P_mix(m.a); ({int}){{ 3 }}; P_mix((({int}){{ {value} }})++ + 1);"
        ));
    }

    /// Arithmetic in 128 bits.
    pub(super) fn wide_numbers(&mut self) {
        let (x, y, z) = (self.expr(1), self.expr(1), self.expr(1));
        let (shift, number) = (self.random.below(128), self.number(1));
        let ty = *self.random.pick(&["__int128", "unsigned __int128"]);
        let op = *self.random.pick(&["add", "sub", "mul"]);
        self.add(&format!(
            "{ty} a = ({ty})({x}) << 64 | (unsigned long)({y}), b = ({ty})({z}) * 0x9e3779b97f4a7c15ll + a, c; int s = ({y}) & 127;
             c = a * b; P_mix(c); P_mix(c >> 64); c = a - b; P_mix(c >> 40); c = a << s; P_mix(c); P_mix(c >> 64); c = a >> {shift}; P_mix(c); P_mix(c >> 64); c = b >> s | a >> 3; P_mix(c >> 63);
             c = a / ((b & 0xffffffffffff) + 3); P_mix(c); P_mix(c >> 64); c = b % ((a >> 30 | 1) == -1 ? 7 : (a >> 30 | 1)); P_mix(c); P_mix(c >> 64); c = ~a ^ -b; P_mix(c >> 64);
             P_mix((a < b) + 2 * (a == b) + 4 * (a <= b) + 8 * !a + 16 * (a > 0)); P_mixd((double)a); P_mixd((float)b); P_mixd(a * 0.5); double d = {number};
             if (d > -1.0 && d < 1e38) {{ c = d; P_mix(c); P_mix(c >> 64); }} P_mix((a ? b : c) >> 70); P_mix((short)(a >> 60)); c += s; c <<= 3; c--; P_mix(c >> 64);
             {ty} r; P_mix(__builtin_{op}_overflow(a, b, &r)); P_mix(r >> 64); int e; P_mix(__builtin_{op}_overflow(a, b >> 100, &e)); P_mix(e); P_mix(sizeof a + _Alignof({ty}));
             struct {{ char h; {ty} w; unsigned char t; }} q = {{ 1, a, 2 }}; P_mix(sizeof q); P_mix(((unsigned char *)&q)[20]); P_mix((b && 1) + (c || 0)); switch ((int)(a >> 64) & 3) {{ case 1: P_mix(1); case 2: P_mix(2); }}"
        ));
    }
}
