// Forms of GNU C and of old C that the parser does not know itself.
#include "check.h"

asm(".text");
int implicit_object; static implicit_static = 3; implicit_function(x) { return x + 1; }
static implicit_result() { return 4; }
static int old(a, n) int a[]; { return a[n]; }
static int old_pointer(f) int (*f)(); { return f(1); }

int calls;
static int count(void) { return ++calls; }
static int aliased(void) __attribute__((alias("count")));
int at_file_scope = 0 ?: 5;
char buffer[4];
struct bits { int a : 3; unsigned long long b : 40; };
struct pair { int a, b; };
static int sum(struct pair p) { return p.a + p.b; }

static void omitted_operands(void) {
  int zero = 0, *null = 0, x = 4;
  check(at_file_scope == 5 && (zero ?: 7) == 7);
  check((count() ?: 9) == 1 && calls == 1 && aliased() == 2);
  check((null ?: &x) == &x && (zero ?: 0 ?: 3) == 3);
  char *text = buffer ?: (char *)0;
  check(text == buffer);
  struct bits bits = {2, 7};
  check((bits.a ?: 5) == 2 && (bits.b ?: 1) == 7 && (!bits.a ?: -1) == -1);
  check((x > 1 ? zero ?: 2 : 9) == 2);
  switch (zero ?: 2) {
  case 1 ?: 2: check(0);
  case 2: break;
  default: check(0);
  }
  int list[2] = {zero ?: 1, [1] = zero ?: 2};
  check(list[0] == 1 && list[1] == 2);
}

static int labels(void) {
  int n = 0;
  for (int i = 0; i < 2; i++) {
    ({ __label__ out; if (i) goto out; n++; out: n += 10; });
    { __label__ out, other; if (0) goto other; goto out; n = 99; out:; other:; }
  }
  goto out;
  n = 0;
out:
  return n;
}

static void choices(void) {
  int x = 1, y = 2;
  _Generic(1, int: x, default: y) = 5;
  __builtin_choose_expr(0, x, y) = 7;
  check(x == 5 && y == 7);
  int *p = &_Generic(x, int: x, long: y), *q = &__builtin_choose_expr(1, x, y);
  check(p == &x && q == &x);
  char c = 1;
  check(sizeof(_Generic(0, int: c)) == 1 && sizeof(__builtin_choose_expr(1, c, x)) == 1);
  check(__builtin_types_compatible_p(__typeof__(x) *, int *) && !__builtin_types_compatible_p(int, long));
  check(__builtin_types_compatible_p(int[], int[5]) && __builtin_types_compatible_p(int (*)(int), int (*)(int)));
  check(!__builtin_types_compatible_p(char, signed char) && __builtin_types_compatible_p(int, const int));
}

static void types_of_values(void) {
  char c = 'x';
  int list[3] = {1, 2, 3};
  static const int fixed = 3;
  __auto_type a = 5;
  __auto_type b = c;
  __auto_type p = list;
  const __auto_type u = 7u;
  __auto_type copy = fixed;
  copy++;
  check(a == 5 && sizeof b == 1 && p[2] == 3 && u - 8 > 0 && copy == 4);
  for (__auto_type i = 0ul; i < 2; i++) a++;
  int z = 3, outer = ({ __auto_type w = z; { __auto_type z = w + 1; w = z; } w; });
  check(a == 7 && outer == 4);
  int n __attribute__((aligned(32)));
  check(__alignof__(n) == 32 && __alignof__ z == 4 && __alignof__(__typeof__(c) *) == sizeof(void *));
  check(sizeof(int[]){1, 2, 3} == 12 && sizeof(const char[]){"ab"} == 3);
}

static int cases(int x) {
  switch (x) {
  case -5 ... 5: return 1;
  case 'a' ... 'z': return 2;
  case 1000 ... 100000: return 3;
  case 7 ... 6: return 4;
  }
  return 0;
}

// What begins with a name and ends as only a type can (C11 6.7.7), and 128 bits before a parenthesis.
typedef short named;
static int twice(named v) { return v + v; }
static void abstract_declarators(void) {
  named v = 7;
  typeof(named *) p = &v;
  __typeof__(named *const volatile) q = p;
  __typeof__(int (*)(named)) f = twice;
  typeof(named (*)[2]) rows = 0;
  check(*p + *q == 14 && f(4) == 8 && sizeof *rows == 4 && __alignof__(named *) == sizeof(void *));
#ifdef __SIZEOF_INT128__
  __int128 grid[2][3] = {{1, 2, 3}, {4, 5, 6}}, (*row)[3] = grid + 1;
  __int128 (*first)[3] = grid;
  typeof(unsigned __int128 *) one = (typeof(unsigned __int128 *))grid[1];
  check((*row)[2] == 6 && (*first)[1] == 2 && *one == 4);
#endif
}

int main(void) {
  abstract_declarators();
  int list[2] = {1, 2};
  check(implicit_object == 0 && implicit_static == 3 && implicit_function(1) == 2 && implicit_result() == 4);
  check(old(list, 1) == 2 && old_pointer(implicit_function) == 2);
  auto k = 3;
  register r = 4;
  check(k == 3 && r == 4);
  omitted_operands();
  check(labels() == 21);
  choices();
  types_of_values();
  check(cases(-5) == 1 && cases(5) == 1 && cases(6) == 0 && cases('q') == 2 && cases(70000) == 3);
  check(sum((struct pair){}) == 0 && 0b101 == 5 && '\e' == 27);
  int x = 1, y;
  __asm__ __volatile__("" ::: "memory");
  asm("pause");
  asm volatile("mfence" ::: "memory");
  asm volatile("" : "+r"(x));
  asm("" : "=r"(y) : "0"(x));
  check(x == 1 && y == 1);
  finish();
}
