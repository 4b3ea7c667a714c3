//! Statements and helpers around one idea each, as real programs have them: lists, buffers, tables, tagged
//! pointers. Numbers, types and lengths in them are random.

use super::writer::Writer;

/// Declarations of every program; the same text is compiled and checked.
pub const PRELUDE: &str = "\
typedef unsigned long size_t;
typedef int wchar_t;
extern void *malloc(size_t), *calloc(size_t, size_t), *realloc(void *, size_t);
extern void free(void *);
extern void *memcpy(void *, const void *, size_t), *memmove(void *, const void *, size_t);
extern void *memset(void *, int, size_t), *memchr(const void *, int, size_t);
extern int memcmp(const void *, const void *, size_t);
extern size_t strlen(const char *), strspn(const char *, const char *), strcspn(const char *, const char *);
extern size_t strnlen(const char *, size_t);
extern char *strcpy(char *, const char *), *strncpy(char *, const char *, size_t);
extern char *strcat(char *, const char *), *strncat(char *, const char *, size_t);
extern int strcmp(const char *, const char *), strncmp(const char *, const char *, size_t);
extern char *strchr(const char *, int), *strrchr(const char *, int), *strstr(const char *, const char *);
extern char *strdup(const char *), *strpbrk(const char *, const char *);
extern int atoi(const char *);
extern int abs(int);
extern char *strtok(char *, const char *), *strtok_r(char *, const char *, char **), *strsep(char **, const char *);
extern char *stpcpy(char *, const char *), *strchrnul(const char *, int);
extern void *memrchr(const void *, int, size_t);
extern int strncasecmp(const char *, const char *, size_t);
extern long atol(const char *), strtol(const char *, char **, int);
extern long long strtoll(const char *, char **, int);
extern unsigned long strtoul(const char *, char **, int);
extern unsigned long long strtoull(const char *, char **, int);
extern int isdigit(int), isalpha(int), isalnum(int), isspace(int), isupper(int), islower(int), isxdigit(int);
extern int ispunct(int), isprint(int), isgraph(int), iscntrl(int), isblank(int), toupper(int), tolower(int);
extern void qsort(void *, size_t, size_t, int (*)(const void *, const void *));
extern void *bsearch(const void *, const void *, size_t, size_t, int (*)(const void *, const void *));
typedef __builtin_va_list va_list;
extern int sprintf(char *, const char *, ...), snprintf(char *, size_t, const char *, ...);
extern int vsnprintf(char *, size_t, const char *, va_list);
";

impl Writer {
    /// One idea, in a block of its own.
    pub fn idiom(&mut self) {
        self.line("{");
        match self.random.below(43) {
            0 => self.heap_array(),
            1 => self.list(),
            2 => self.flexible(),
            3 => self.container(),
            4 => self.tagged(),
            5 | 6 => self.memory(),
            7 | 8 => self.strings(),
            9 => self.pointers(),
            10 => self.functions_in_tables(),
            11 => self.recursion(),
            12 => self.variable_length(),
            13 => self.device(),
            14 => self.bytes(),
            15 => self.overflow(),
            16 => self.sorting(),
            17 => self.anonymous(),
            18 => self.unaligned(),
            19 => self.wide(),
            20 => self.rows(),
            21 => self.old_forms(),
            22 => self.designators(),
            23 => self.extensions(),
            24 => self.queue(),
            25 | 26 => self.variable_arguments(),
            27 => self.forwarded_format(),
            28 => self.formatted(),
            29 => self.numbers_in_texts(),
            30 => self.words(),
            31 => self.characters(),
            32 => self.sorted(),
            33 => self.arrays_of_any_length(),
            34 => self.cleaned_up(),
            35 => self.chosen_by_type(),
            36 => self.ranges(),
            37 => self.fields_over_bytes(),
            38 => self.closer(),
            39 => self.literals_in_blocks(),
            40 => self.wide_numbers(),
            41 => self.assembly(),
            _ => self.tree(),
        }
        self.line("}");
    }

    pub(super) fn add(&mut self, text: &str) {
        for line in text.replace("P_", &self.prefix).lines() {
            self.line(line.trim());
        }
    }

    pub(super) fn helper(&mut self, text: &str) {
        let text = text.replace("P_", &self.prefix);
        self.static_objects.push_str(&text);
        self.static_objects.push('\n');
    }

    fn small(&mut self, low: i64, high: i64) -> i64 {
        self.random.between(low, high)
    }

    fn assembly(&mut self) {
        let widths = [
            ("unsigned char", "b"),
            ("unsigned short", "w"),
            ("unsigned", "l"),
            ("unsigned long", "q"),
        ];
        let (word, suffix) = *self.random.pick(&widths);
        let (a, b, c) = (self.expr(1), self.expr(1), self.expr(1));
        let lock = *self.random.pick(&["", "lock; "]);
        let op = *self.random.pick(&["add", "sub", "and", "or", "xor"]);
        let conditions = [
            "z", "nz", "c", "nc", "s", "ns", "o", "no", "a", "be", "l", "ge", "g", "le",
        ];
        let (one, other) = (
            *self.random.pick(&conditions),
            *self.random.pick(&conditions),
        );
        let bit = *self.random.pick(&["bts", "btr", "btc"]);
        self.add(&format!(
            "{word} a = {a}, m = {b}, e = {c}; char z, y;
             asm volatile(\"{lock}{op}{suffix} %3, %0; set{one} %1; set{other} %2\" : \"+m\"(m), \"=&q\"(z), \"=q\"(y) : \"q\"(a) : \"memory\", \"cc\");
             P_mix(m); P_mix(z); P_mix(y);
             asm volatile(\"cmp{suffix} %3, %2; set{one} %0; set{other} %1\" : \"=&q\"(z), \"=q\"(y) : \"q\"(a), \"q\"(e) : \"cc\"); P_mix(z + 2 * y);
             asm volatile(\"{lock}cmpxchg{suffix} %3, %0; set{one} %1\" : \"+m\"(m), \"=q\"(z), \"+a\"(e) : \"q\"(a) : \"memory\", \"cc\"); P_mix(m); P_mix(e); P_mix(z);
             asm volatile(\"{lock}xadd{suffix} %1, %0\" : \"+m\"(m), \"+q\"(a) : : \"memory\", \"cc\"); P_mix(m); P_mix(a);
             unsigned long far[3] = {{ {a}, {b}, {c} }}, r = far[0]; long i = ((long)({b}) & 191) - 64;
             asm volatile(\"{lock}{bit}q %2, %0; setc %1\" : \"+m\"(far[1]), \"=q\"(z) : \"r\"(i) : \"memory\", \"cc\");
             for (int k = 0; k < 3; k++) P_mix(far[k]); P_mix(z);
             asm volatile(\"movl %k1, %k0\" : \"+r\"(r) : \"r\"(far[2])); P_mix(r);"
        ));
    }

    fn heap_array(&mut self) {
        let (int, n, more) = (self.int().name, self.small(1, 9), self.small(0, 9));
        let value = self.expr(1);
        let make = match self.random.below(3) {
            0 => format!("calloc({n}, sizeof({int}))"),
            1 => format!("malloc({n} * sizeof({int}))"),
            _ => format!("realloc(0, {n} * sizeof({int}))"),
        };
        let new = self.small(1, 14);
        self.add(&format!(
            "{int} *h = {make}; unsigned n = {n};
             for (unsigned i = 0; i < n; i++) h[i] = ({value}) + i * {more};
             h = realloc(h, {new} * sizeof *h);
             for (unsigned i = n; i < {new}; i++) h[i] = i ^ {more};
             for (unsigned i = 0; i < {new}; i++) P_mix(h[i]);
             free(h); h = 0; free(h); P_mix(h == 0);"
        ));
    }

    fn list(&mut self) {
        let id = self.name("n");
        let (int, count) = (self.int().name, self.small(1, 6));
        let (value, cut) = (self.expr(1), self.small(0, 6));
        self.helper(&format!(
            "struct P_{id} {{ {int} value; struct P_{id} *next, **back; }};
static unsigned long P_{id}sum(const struct P_{id} *n) {{ return n ? n->value + 3 * P_{id}sum(n->next) : 5; }}
static struct P_{id} *P_{id}new({int} v, struct P_{id} *next) {{
  struct P_{id} *n = malloc(sizeof *n); *n = (struct P_{id}){{ .value = v, .next = next }};
  n->back = &n->next; return n; }}"
        ));
        self.add(&format!(
            "struct P_{id} *head = 0, *other = 0, **at;
             for (int i = 0; i < {count}; i++) head = P_{id}new(({value}) + i, head);
             P_mix(P_{id}sum(head));
             while (head) {{ struct P_{id} *n = head; head = n->next; n->next = other; other = n; }}
             for (at = &other; *at && (*at)->value != ({int}){cut}; at = &(*at)->next) P_mix((*at)->value);
             if (*at) {{ struct P_{id} *gone = *at; *at = gone->next; free(gone); }}
             for (struct P_{id} *n = other; n; n = n->next) P_mix(*n->back == n->next);
             P_mix(P_{id}sum(other));
             while (other) {{ struct P_{id} *n = other->next; free(other); other = n; }}"
        ));
    }

    fn flexible(&mut self) {
        let id = self.name("s");
        let (head, int, n) = (self.int().name, self.int().name, self.small(0, 6));
        let value = self.expr(1);
        self.helper(&format!(
            "struct P_{id} {{ {head} n; {int} items[]; }};
static struct P_{id} P_{id}fixed = {{ 1, {{ 3, 4, 5 }} }};"
        ));
        self.add(&format!(
            "struct P_{id} *f = malloc(sizeof *f + {n} * sizeof f->items[0]); int n = {n};
             f->n = n;
             for (int i = 0; i < n; i++) f->items[i] = ({value}) - i;
             for (int i = n; i-- > 0;) P_mix(f->items[i]);
             P_mix(f->n + sizeof(struct P_{id})); P_mix((char *)f->items - (char *)f);
             free(f);
             for (int i = 0; i < 3; i++) P_mix(P_{id}fixed.items[i]);"
        ));
    }

    fn container(&mut self) {
        let id = self.name("s");
        let (a, b) = (self.int().name, self.int().name);
        let (value, k) = (self.expr(1), self.small(0, 2));
        self.helper(&format!(
            "struct P_{id}link {{ struct P_{id}link *next; }};
struct P_{id} {{ {a} first; struct P_{id}link link; {b} last; }};"
        ));
        self.add(&format!(
            "struct P_{id} all[3] = {{ {{ .last = 3 }}, {{ .first = {value} }}, {{ 1, {{ 0 }}, 7 }} }};
             for (int i = 0; i < 3; i++) all[i].link.next = i < 2 ? &all[i + 1].link : &all[0].link;
             struct P_{id}link *l = &all[{k}].link;
             for (int i = 0; i < 4; i++, l = l->next) {{
             struct P_{id} *c = (struct P_{id} *)((char *)l - __builtin_offsetof(struct P_{id}, link));
             P_mix(c->first); P_mix(c->last); c->last += i; P_mix(c - all); }}"
        ));
    }

    fn tagged(&mut self) {
        let value = self.expr(1);
        let tag = self.small(0, 7);
        self.add(&format!(
            "static long cell[4] = {{ 11, 22, 33, 44 }};
             long *p = &cell[({value}) & 3];
             unsigned long bits = (unsigned long)p | {tag};
             P_mix(bits & 7); P_mix(*(long *)(bits & ~7ul)); P_mix(((long *)(bits & -8) - cell));
             bits ^= {tag}; P_mix((long *)bits == p); P_mix(((long)p - (long)cell) / (long)sizeof(long));
             void *v = p; char *c = v; P_mix(((long *)(c - ((char *)p - (char *)cell)))[0]);"
        ));
    }

    fn memory(&mut self) {
        let (int, n) = (self.int().name, self.small(6, 9));
        let value = self.expr(1);
        let (from, to) = (self.small(0, 3), self.small(0, 3));
        let count = if self.random.chance(50) {
            self.small(0, 3).to_string()
        } else {
            format!("(({}) & 3)", self.expr(1))
        };
        let copy = *self
            .random
            .pick(&["memmove", "memmove", "__builtin_memmove"]);
        let byte = self.small(-300, 300);
        self.add(&format!(
            "{int} a[{n}], b[{n}]; unsigned char raw[sizeof a];
             for (int i = 0; i < {n}; i++) a[i] = ({value}) * (i + 1);
             memcpy(b, a, sizeof a);
             {copy}(b + {to}, b + {from}, {count} * sizeof *b);
             for (int i = 0; i < {n}; i++) P_mix(b[i]);
             memcpy(raw, b, sizeof raw); memset(raw + 1, {byte}, {count});
             for (unsigned i = 0; i < sizeof raw; i++) P_mix(raw[i]);
             int c = memcmp(a, b, sizeof a); P_mix((c > 0) - (c < 0));
             c = memcmp(raw, b, {count}); P_mix((c > 0) - (c < 0));
             unsigned char *f = memchr(raw, (int)raw[sizeof raw / 2], sizeof raw); P_mix(f - raw);
             memset(a, 0, sizeof a); P_mix(a[{n} - 1]); memset(&b[1], {byte} & 1, 2 * sizeof b[0]); P_mix(b[2]);"
        ));
    }

    fn strings(&mut self) {
        let words = [
            "selvedge",
            "a",
            "",
            "edge",
            "sel",
            "weft and warp",
            "aab",
            "\\377z",
            "  -12x",
            "42",
        ];
        let (a, b) = (*self.random.pick(&words), *self.random.pick(&words));
        let (n, c) = (self.small(0, 6), *self.random.pick(&['e', 'a', 'q', ' ']));
        let value = self.expr(1);
        self.add(&format!(
            "char t[40] = \"{a}\", u[24]; const char *w = \"{b}\"; char *s;
             P_mix(strlen(t) * 8 + strlen(w)); strcpy(u, w); strcat(t, u); P_mix(strlen(t));
             int c = strcmp(t, w); P_mix((c > 0) - (c < 0)); c = strncmp(u, \"{a}\", {n}); P_mix((c > 0) - (c < 0));
             s = strchr(t, '{c}'); P_mix(s ? s - t : -1); s = strrchr(t, '{c}'); P_mix(s ? s - t : -1);
             s = strstr(t, w); P_mix(s ? s - t : -1); s = strpbrk(t, \"gw\"); P_mix(s ? s - t : -1);
             strncpy(u, t, {n}); u[{n}] = 0; P_mix(strlen(u)); strncat(u, \"{b}\", {n}); P_mix(strlen(u));
             P_mix(strspn(t, \"saeltv\")); P_mix(strcspn(t, \"gz\")); P_mix(strnlen(t, {n})); P_mix(atoi(\"{b}\"));
             s = strdup(t); if (*s) s[0] ^= ({value}) & 15; for (char *q = s; *q; q++) P_mix(*q); free(s);
             for (w = \"{b}\"; *w; ++w) P_mix(*w * 3); P_mix(\"{a}x\"[0]); P_mix(sizeof \"{a}\");"
        ));
    }

    fn pointers(&mut self) {
        let int = self.int().name;
        let (a, b, v) = (self.expr(1), self.expr(1), self.expr(1));
        let id = self.name("f");
        self.helper(&format!(
            "static void {id}({int} **x, {int} **y) {{ {int} *t = *x; *x = *y; *y = t; }}"
        ));
        self.add(&format!(
            "{int} x = {a}, y = {b}, *p = &x, *q = &y, **pp = &p, *table[3] = {{ &x, &y }};
             {int} ***ppp = &pp; {id}(&p, &q); P_mix(*p); P_mix(**pp == *q); P_mix(p == &y);
             **pp = {v}; ***ppp += 1; P_mix(y); table[2] = *pp; *table[2] ^= 5; P_mix(*table[1]);
             pp = &table[0]; pp++; P_mix(pp - table); P_mix(**pp); P_mix(*&*table[0]); P_mix(!table[1]);
             P_mix(p && q ? *p < *q : 0); p = 0; P_mix(p == 0 || *p == 1);"
        ));
    }

    fn functions_in_tables(&mut self) {
        let id = self.name("f");
        let (op, k) = (*self.random.pick(&["+", "^", "*"]), self.small(1, 99));
        let value = self.expr(1);
        self.helper(&format!(
            "typedef unsigned long (*{id}t)(unsigned long, int);
struct {id}s {{ {id}t go; int k; }};
static unsigned long {id}a(unsigned long x, int y) {{ return x {op} y; }}
static unsigned long {id}b(unsigned long x, int y) {{ return x - y * {k}; }}
static {id}t {id}pick(int i) {{ return i & 1 ? {id}a : &{id}b; }}
static unsigned long {id}twice(unsigned long f(unsigned long, int), unsigned long x) {{ return f(f(x, 1), 2); }}
static const struct {id}s {id}table[] = {{ {{ {id}a, 1 }}, {{ .k = 9, .go = {id}b }}, {{ P_u0, 4 }} }};"
        ));
        self.add(&format!(
            "for (unsigned i = 0; i < sizeof {id}table / sizeof *{id}table; i++) P_mix({id}table[i].go({value}, {id}table[i].k));
             P_mix({id}pick({value})(7, 3)); P_mix({id}twice({id}pick({k}), 5)); P_mix((*{id}table[1].go)(2, 1));
             {id}t f = {id}pick(0); P_mix(f == {id}b); P_mix((**f)(1, 1)); P_mix(f != {id}table[0].go);"
        ));
    }

    fn recursion(&mut self) {
        let id = self.name("f");
        let (int, depth) = (self.int().name, self.small(1, 6));
        let (k, value) = (self.small(1, 20), self.expr(1));
        self.helper(&format!(
            "struct {id}s {{ {int} a; short b[2]; }};
static struct {id}s {id}(int d, struct {id}s s, int *count) {{
  static int calls; ++*count; s.b[d & 1] += d * {k}; calls++;
  if (d <= 0) {{ s.a ^= calls; return s; }}
  struct {id}s l = {id}(d - 1, s, count); if (d & 1) return l;
  s.a += {id}(d - 2, l, count).a; return s; }}"
        ));
        self.add(&format!(
            "int count = 0; struct {id}s s = {id}({depth}, (struct {id}s){{ {value}, {{ 1, 2 }} }}, &count);
             P_mix(s.a); P_mix(s.b[0]); P_mix(s.b[1]); P_mix(count); P_mix({id}(1, s, &count).b[1]);"
        ));
    }

    fn variable_length(&mut self) {
        let (int, value) = (self.int().name, self.expr(1));
        let rows = self.small(1, 3);
        self.add(&format!(
            "for (int k = 1; k < 4; k++) {{
             int n = k + (({value}) & 3); {int} v[n], (*pv)[n] = &v; short grid[{rows}][n];
             P_mix(sizeof v); P_mix(sizeof grid); n += 7; P_mix(sizeof(v) / sizeof *v);
             for (unsigned i = 0; i < sizeof v / sizeof v[0]; i++) {{ v[i] = i * 3 + k; grid[{rows} - 1][i] = i - k; }}
             P_mix((*pv)[k - 1]); P_mix(grid[{rows} - 1][k - 1]); P_mix((char *)(grid + 1) - (char *)grid);
             char *a = __builtin_alloca(k + 2); a[k + 1] = k; a[0] = 1; P_mix(a[k + 1] + a[0]); }}"
        ));
    }

    fn device(&mut self) {
        let (count, value) = (self.small(1, 13), self.expr(1));
        self.add(&format!(
            "int count = {count}, n = (count + 3) / 4; unsigned x = {value};
             switch (count % 4) {{ case 0: do {{ x = x * 3 + 1; case 3: x ^= x >> 3; case 2: x += count; case 1: x--; }} while (--n > 0); }}
             P_mix(x);
             for (int i = 0, j = 9; i < j; i += 2, j--) {{ if (i == 4) continue; x += i * j; if (x % 7 == 0) break; }} P_mix(x);"
        ));
    }

    fn bytes(&mut self) {
        let int = self.int().name;
        let (value, k) = (self.expr(2), self.small(0, 9));
        self.add(&format!(
            "{int} x = {value}, z = 0; unsigned char *b = (unsigned char *)&x;
             for (unsigned i = 0; i < sizeof x; i++) P_mix(b[i] + i);
             unsigned long w[2] = {{ 0 }}; memcpy(w, &x, sizeof x); P_mix(w[0]); P_mix(w[1]);
             for (unsigned i = 0; i < sizeof z; i++) ((unsigned char *)&z)[i] = b[i]; P_mix(z == x);
             union {{ unsigned u; int i; unsigned short h[2]; unsigned char c[4]; }} u = {{ .i = (int)({value}) }};
             P_mix(u.u); P_mix(u.h[1]); u.c[{k} & 3] = {k}; P_mix(u.i); u.h[0]--; P_mix(u.u >> 4);
             struct {{ int a, b; char c[4]; }} s = {{ 1, -2, \"abc\" }}; unsigned char t[sizeof s]; memcpy(t, &s, sizeof s);
             for (unsigned i = 0; i < sizeof t; i++) P_mix(t[i]);"
        ));
    }

    fn overflow(&mut self) {
        let (a, b, r) = (self.int(), self.int(), self.int());
        // The builtins do not take `_Bool` results.
        let result = if r.bits == 1 { "int" } else { r.name };
        let (x, y) = (self.expr(1), self.expr(1));
        let op = *self.random.pick(&["add", "sub", "mul"]);
        self.add(&format!(
            "{result} r; int o = __builtin_{op}_overflow(({})({x}), ({})({y}), &r); P_mix(r); P_mix(o);",
            a.name, b.name
        ));
    }

    fn sorting(&mut self) {
        let id = self.name("f");
        let (int, value) = (self.int().name, self.expr(1));
        let swap = match self.random.below(2) {
            0 => "struct P_IDs t = *a; *a = *b; *b = t;",
            _ => "struct P_IDs t; memcpy(&t, a, sizeof t); memcpy(a, b, sizeof t); memcpy(b, &t, sizeof t);",
        }
        .replace("P_ID", &id);
        self.helper(&format!(
            "struct {id}s {{ {int} key; unsigned tag : 5; }};
static int {id}less(const void *a, const void *b) {{ return ((const struct {id}s *)a)->key < ((struct {id}s *)b)->key; }}
static void {id}swap(struct {id}s *a, struct {id}s *b) {{ {swap} }}
static void {id}sort(struct {id}s *v, int n, int (*less)(const void *, const void *)) {{
  for (int i = 0; i + 1 < n; i++) for (int j = n - 1; j > i; --j) if (less(v + j, &v[j - 1])) {id}swap(&v[j], v + j - 1); }}"
        ));
        self.add(&format!(
            "struct {id}s v[5]; for (int i = 0; i < 5; i++) {{ v[i].key = ({value}) * (i * 5 + 3) % 17; v[i].tag = i; }}
             {id}sort(v, 5, {id}less); for (int i = 0; i < 5; i++) {{ P_mix(v[i].key); P_mix(v[i].tag); }}"
        ));
    }

    fn anonymous(&mut self) {
        let (a, b) = (self.int().name, self.int().name);
        let (x, y) = (self.expr(1), self.expr(1));
        self.add(&format!(
            "struct {{ {a} head; union {{ {b} x; unsigned char raw[8]; struct {{ short lo, hi; }}; }}; struct {{ int in; }} deep[2]; }} s = {{ .raw = {{ 1, 2, 3, 4, 5, 6, 7, 8 }} }}, t;
             P_mix(s.x); P_mix(s.hi); s.lo = {x}; P_mix(s.raw[1]); s.head = {y}; s.deep[1].in = s.head; t = s; s.raw[7] = 0;
             P_mix(t.raw[7]); P_mix(t.deep[1].in); t.deep[0] = t.deep[1]; P_mix(t.deep[0].in); P_mix(sizeof t); P_mix((char *)&t.hi - (char *)&t);"
        ));
    }

    fn unaligned(&mut self) {
        let id = self.name("s");
        let (a, b) = (self.int().name, self.int().name);
        let (x, k) = (self.expr(1), self.small(0, 3));
        self.helper(&format!(
            "struct P_{id} {{ char c; {a} x; {b} y[2]; unsigned f : 11; long g : 40; }} __attribute__((packed));
typedef {a} P_{id}u __attribute__((aligned(1)));"
        ));
        self.add(&format!(
            "unsigned char raw[sizeof(struct P_{id}) + 4]; memset(raw, 0x5a, sizeof raw);
             struct P_{id} *p = (struct P_{id} *)(raw + {k}); p->x = {x}; p->y[1] = p->x + 1; p->f = p->x; p->g = -5;
             for (unsigned i = 0; i < sizeof raw; i++) P_mix(raw[i]);
             struct P_{id} q = *p, two[2] = {{ {{ 1 }}, q }}; q.x++; P_mix(q.x); P_mix(two[1].f); P_mix((long)two[1].g); P_mix(sizeof two);
             P_{id}u *u = (P_{id}u *)&p->x; P_mix(*u); P_mix(_Alignof(P_{id}u));"
        ));
    }

    fn wide(&mut self) {
        let (x, y) = (self.expr(1), self.expr(1));
        self.add(&format!(
            "wchar_t w[] = L\"w\\u00e9\\x1234 z\"; const wchar_t *p = L\"ab\" L\"c\"; unsigned short h[] = u\"\\u20ac1\"; unsigned int d[4] = U\"\\U0001f600q\";
             for (unsigned i = 0; i < sizeof w / sizeof *w; i++) P_mix(w[i]); P_mix(p[2]); P_mix(L'\\u00e9'); P_mix(u'\\u20ac'); P_mix(h[0]); P_mix(d[0] + d[1]); P_mix(sizeof L\"abc\");
             const char *e = \"\\u00e9\\u20ac\" u8\"\\u00df\"; while (*e) P_mix(*e++);
             __int128 a = (__int128)({x}) * (long)({y}); unsigned __int128 b = (unsigned __int128)({y}) << 70 | 9;
             P_mix(a); P_mix(a >> 64); P_mix(b >> 65); P_mix(a < 0); P_mix(b % 1000003); P_mix((unsigned long)(b / ((unsigned long)({x}) | 1)));"
        ));
    }

    fn rows(&mut self) {
        let (int, value) = (self.int().name, self.expr(1));
        let id = self.name("f");
        self.helper(&format!(
            "static unsigned long {id}({int} m[][3], int n) {{ unsigned long s = 0; for (int i = 0; i < n; i++) for (int j = 0; j < 3; j++) s = s * 7 + m[i][j]; return s; }}
static {int} {id}m[][3] = {{ 1, 2, 3, {{ 4 }}, [3] = {{ [1] = 5 }} }};"
        ));
        self.add(&format!(
            "{int} grid[4][3] = {{ {{ {value} }}, {{ 1, 2, 3 }} }}; {int} (*row)[3] = grid, (*all)[4][3] = &grid; P_mix({id}({id}m, sizeof {id}m / sizeof *{id}m));
             row++; P_mix((*row)[1]); row[1][2] = 9; P_mix(grid[2][2]); P_mix(row - grid); P_mix(*(*(grid + 1) + 2)); P_mix({id}(grid, 4)); P_mix(sizeof grid[0]);
             (*all)[3][0] = 5; P_mix({id}(row, 3)); {int} *flat = &grid[0][0]; P_mix(flat[2]); P_mix((char *)(all + 1) - (char *)all); P_mix(2[flat]);"
        ));
    }

    fn old_forms(&mut self) {
        let id = self.name("f");
        let (a, b, x) = (self.int().name, self.int().name, self.expr(1));
        let k = self.small(2, 9);
        // Parameters of an old definition are as wide as promoted arguments, so that callers agree.
        self.helper(&format!(
            "static long {id}(x, y, z) int x; long y; unsigned *z; {{ *z += x; return y - *z; }}
static {a} {id}first(const {a} v[static 2], int n) {{ register {a} s = 0; while (n--) s += v[n]; return s; }}
static unsigned long (*{id}choose(int k))(unsigned long, int) {{ return k ? P_u0 : 0; }}
typedef {b} {id}vector[3], {id}function({b});
static {id}function {id}twice; static {b} {id}twice({b} v) {{ return v + v; }}
enum {id}color {{ {id}RED, {id}GREEN = {k}, {id}BLUE }};
_Static_assert({id}BLUE == {k} + 1, \"\");"
        ));
        self.add(&format!(
            "unsigned z = {x}; P_mix({id}(3, (long)({x}), &z)); P_mix(z); {a} v[] = {{ 1, {x}, 3 }}; P_mix({id}first(v, 3)); P_mix({id}first(v + 1, 2));
             P_mix({id}choose({k})(5, 1)); P_mix({id}choose(0) == 0); {id}vector w = {{ [1] = {x} }}, *pw = &w; P_mix((*pw)[1]); P_mix(sizeof({id}vector)); P_mix({id}twice(w[1]));
             enum {id}color c = {id}GREEN, *pc = &c; (*pc)++; P_mix(c == {id}BLUE); P_mix(sizeof c); switch (c) {{ case {id}RED: P_mix(1); break; case {id}BLUE: P_mix(2); default: P_mix(3); }}
             P_mix(c > -1); c = (enum {id}color)-1; P_mix(c > 0);"
        ));
    }

    fn designators(&mut self) {
        let id = self.name("s");
        let (a, b, x) = (self.int().name, self.int().name, self.expr(1));
        self.helper(&format!(
            "struct P_{id}in {{ {a} a; {b} b[3]; unsigned f : 5, : 3, g : 9; }};
struct P_{id} {{ struct P_{id}in in[2]; union {{ int i; struct {{ short lo, hi; }}; }}; const char *text; struct P_{id}in last; }};
static struct P_{id} P_{id}g = {{ .in[1].b[2] = 3, 4, .in[0] = {{ 1, {{ 2 }}, .g = 77 }}, .hi = 9, .text = \"ab\" \"c\", {{ 5, 6, 7, 8, 9, 10 }} }};
static struct P_{id} P_{id}h[] = {{ [2].last.g = 5, [0] = {{ {{ {{ 1 }}, {{ .b = {{ 2, 3 }} }} }}, {{ 7 }} }}, {{ .text = \"x\" }} }};"
        ));
        self.add(&format!(
            "struct P_{id} l = {{ .last = {{ .b[1] = {x}, 4 }}, .in = {{ [0].f = {x}, 3, [1] = P_{id}g.in[0] }}, .lo = 2 }}, m = {{ 1, 2, 3, 4, 5, 6, {x} }}, n = {{ .in[1] = l.in[1], .lo = 9 }};
             struct P_{id} *all[] = {{ &P_{id}g, &P_{id}h[0], &P_{id}h[1], &P_{id}h[2], &l, &m, &n }}; P_mix(sizeof P_{id}h / sizeof *P_{id}h);
             for (unsigned i = 0; i < sizeof all / sizeof *all; i++) {{ struct P_{id} *s = all[i]; P_mix(s->i); P_mix(s->text ? s->text[0] : 0); P_mix(s->last.a + s->last.f); P_mix(s->last.b[1]); P_mix(s->last.g);
             for (int j = 0; j < 2; j++) {{ P_mix(s->in[j].a); P_mix(s->in[j].f); P_mix(s->in[j].g); for (int k = 0; k < 3; k++) P_mix(s->in[j].b[k]); }} }}
             char t[] = {{ \"abc\" }}, u[2] = \"xy\", v[][4] = {{ \"a\", {{ 'b', 'c' }}, {{ \"def\" }} }}; P_mix(sizeof t + u[1] + v[1][1] + v[2][3] + sizeof v);"
        ));
    }

    fn extensions(&mut self) {
        let (a, x, y) = (self.int().name, self.expr(1), self.expr(1));
        let id = self.name("f");
        self.helper(&format!(
            "struct {id}e {{ char c; int none[0]; }}; struct {id}a {{ char c; _Alignas(16) {a} v; }} __attribute__((aligned(32)));
static inline __attribute__((always_inline, unused)) {a} {id}max({a} p, {a} q) {{ return p > q ? p : q; }}
#define P_NOTHING
extern int {id}late; static int {id}read(void) {{ extern int {id}late; return {id}late; }} int {id}late = 7;"
        ).replace("#define P_NOTHING\n", ""));
        self.add(&format!(
            "__auto_type q = ({a})({x}); __typeof__(q) r = q ?: 5; P_mix(r); P_mix(({x}) ?: ({y})); P_mix(sizeof(struct {id}e)); P_mix(sizeof(struct {id}a)); P_mix(_Alignof(struct {id}a));
             struct {id}a arr[2] = {{ {{ 1, {x} }}, {{ .v = {y} }} }}; P_mix(arr[1].v); P_mix((char *)&arr[1].v - (char *)arr); P_mix({id}max({x}, {y})); P_mix({id}read());
             P_mix(__builtin_types_compatible_p(__typeof__(q), {a})); P_mix(__builtin_choose_expr(1, q, 3)); P_mix(({{ int z = 0; for (int i = 0; i < 4; i++) {{ if (i == 2) continue; z += i; }} z; }}));
             switch (({x}) & 15) {{ case 0 ... 3: P_mix(1); case 4: P_mix(2); break; case 9 ... 15: {{ P_mix(3); break; }} default: P_mix(4); }}
             int k = 3; do {{ if (k == 2) continue; P_mix(k); }} while (k-- > 0); for (;;) {{ if (++k > 3) break; }} P_mix(k);
             int *p = (int[]){{ 4, 5, 6 }}, (*f)[2] = &(int[2]){{ 7, 8 }}; p[1] += (*f)[1]; P_mix(p[1]); P_mix(*(const int *)&(const int){{ 9 }}); void *v = p; v += 4; P_mix(*(int *)v);"
        ));
    }

    fn queue(&mut self) {
        let id = self.name("q");
        let (int, x, n) = (self.int().name, self.expr(1), self.small(2, 5));
        self.helper(&format!(
            "struct P_{id} {{ unsigned char head, count; {int} ring[{n}]; void (*note)(struct P_{id} *, int); int notes : 6; }};
static void P_{id}note(struct P_{id} *q, int k) {{ q->notes += k; }}
static _Bool P_{id}push(struct P_{id} *q, {int} v) {{ if (q->count == {n}) {{ q->note(q, -1); return 0; }} q->ring[(q->head + q->count++) % {n}] = v; return 1; }}
static _Bool P_{id}pop(struct P_{id} *q, {int} *v) {{ if (!q->count) return 0; *v = q->ring[q->head]; q->head = (q->head + 1) % {n}; --q->count; q->note(q, 3); return 1; }}"
        ));
        self.add(&format!(
            "struct P_{id} q = {{ .note = P_{id}note }}, *copies = malloc(2 * sizeof q); {int} v = 0;
             for (int i = 0; i < 9; i++) {{ P_mix(P_{id}push(&q, ({x}) + i)); if (i % 3 == 1) {{ P_mix(P_{id}pop(&q, &v)); P_mix(v); }} if (i == 4) copies[0] = q; }}
             copies[1] = *copies; while (P_{id}pop(&copies[1], &v)) P_mix(v); P_mix(copies[1].notes); P_mix(copies->count); P_mix(q.notes); free(copies);"
        ));
    }

    fn tree(&mut self) {
        let id = self.name("t");
        let (int, value) = (self.int().name, self.expr(1));
        let count = self.small(1, 6);
        self.helper(&format!(
            "struct P_{id} {{ {int} key; struct P_{id} *kid[2]; }};
static void P_{id}add(struct P_{id} **t, {int} k) {{
  while (*t) {{ if ((*t)->key == k) return; t = &(*t)->kid[k > (*t)->key]; }}
  *t = calloc(1, sizeof **t); (*t)->key = k; }}
static unsigned long P_{id}walk(struct P_{id} *t, int d) {{ return t ? P_{id}walk(t->kid[0], d + 1) * 3 + t->key + d + 5 * P_{id}walk(t->kid[1], d + 1) : 1; }}
static void P_{id}drop(struct P_{id} *t) {{ if (!t) return; P_{id}drop(t->kid[0]); P_{id}drop(t->kid[1]); free(t); }}"
        ));
        self.add(&format!(
            "struct P_{id} *root = 0; for (int i = 0; i < {count}; i++) P_{id}add(&root, ({value}) * (i + 2) % 11);
             P_mix(P_{id}walk(root, 0)); P_{id}drop(root);"
        ));
    }
}
