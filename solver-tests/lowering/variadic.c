// Variable arguments (C11 7.16): all kinds of types, lists that are passed on, copied and kept.
#include "check.h"
#include <stdarg.h>
#include <stddef.h>

struct pair { int a; char b[9]; };
struct row { long x[5]; };
struct odd { char c[3]; };

static int sum(int n, ...) {
  va_list list;
  va_start(list, n);
  int total = 0;
  for (int i = 0; i < n; i++) total += va_arg(list, int);
  va_end(list);
  return total;
}

static int rest(int n, va_list list) {
  int total = 0;
  while (n--) total = total * 10 + va_arg(list, int);
  return total;
}
static int twice(int n, ...) {
  va_list first, second;
  va_start(first, n);
  va_copy(second, first);
  int a = rest(n, first), b = rest(n, second);
  va_end(first);
  va_end(second);
  return a * 1000 + b;
}

static long mixed(const char *kinds, ...) {
  va_list list;
  va_start(list, kinds);
  long total = 0;
  for (; *kinds; kinds++)
    switch (*kinds) {
    case 'i': total += va_arg(list, int); break;
    case 'u': total += va_arg(list, unsigned); break;
    case 'l': total += va_arg(list, long); break;
    case 'L': total += va_arg(list, long long); break;
    case 'z': total += va_arg(list, size_t); break;
    case 'p': total += *va_arg(list, int *); break;
    case 's': total += va_arg(list, const char *)[0]; break;
    case 'P': { struct pair v = va_arg(list, struct pair); total += v.a + v.b[8]; break; }
    case 'R': total += va_arg(list, struct row).x[4]; break;
    case 'O': total += va_arg(list, struct odd).c[2]; break;
    }
  va_end(list);
  return total;
}

static void take(va_list *list, int expected) { check(va_arg(*list, int) == expected); }
static void through(int n, ...) {
  va_list list;
  va_start(list, n);
  take(&list, 1);
  check(va_arg(list, int) == 2);
  take(&list, 3);
  va_end(list);
}

struct state { va_list list; int taken; };
static int next(struct state *state) { state->taken++; return va_arg(state->list, int); }
static int kept(int n, ...) {
  struct state state;
  state.taken = 0;
  va_start(state.list, n);
  int total = 0;
  while (state.taken < n) total = total * 10 + next(&state);
  return total;
}

static int most(int first, ...) {
  va_list list;
  int found = first, value;
  va_start(list, first);
  while ((value = va_arg(list, int)) != -1)
    if (value > found) found = value;
  va_end(list);
  return found;
}
static struct row large(char c, short s, ...) {
  va_list list;
  va_start(list, s);
  struct row row = {{c, s, va_arg(list, int)}};
  va_end(list);
  va_start(list, s);
  row.x[3] = va_arg(list, int) + 1;
  return row;
}
static int deep(int n, ...) {
  va_list list;
  va_start(list, n);
  int own = va_arg(list, int);
  int inner = n ? deep(n - 1, own + 1) : 0;
  return own + inner + (n ? 0 : 100);
}

int main(void) {
  check(sum(0) == 0 && sum(3, 1, 2, 3) == 6 && sum(10, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10) == 55);
  check(twice(2, 3, 4) == 34034);
  int five = 5;
  char c = 3;
  short h = 4;
  struct pair p = {3, {[8] = 4}};
  struct row r = {{0, 0, 0, 0, 9}};
  struct odd o = {{1, 2, 3}};
  check(mixed("il", 1, 2L) == 3);
  check(mixed("iLip", 1, 1LL << 20, 2, &five) == 1048576 + 8);
  check(mixed("isi", (char)-1, "A", 0) == 64);
  check(mixed("iPiRiOi", 1, p, 2, r, 3, o, 4) == 1 + 7 + 2 + 9 + 3 + 3 + 4);
  check(mixed("uz", 7u, sizeof(int)) == 11);
  check(mixed("iiii", c, h, (unsigned char)200, (_Bool)1) == 208);
  through(3, 1, 2, 3);
  check(kept(3, 1, 2, 3) == 123);
  int (*pointer)(int, ...) = most;
  check(most(3, 9, 4, -1) == 9 && pointer(7, -1) == 7 && (*pointer)(1, 2, -1) == 2);
  check(large(1, 2, 3).x[2] == 3 && large(1, 2, 3).x[3] == 4 && large(5, 2, 3).x[0] == 5);
  check(deep(2, 5) == 5 + 6 + 7 + 100);
  finish();
}
