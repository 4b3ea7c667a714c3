// Functions: pointers, prototypes, old style, recursion, static and extern objects (C11 6.5.2.2, 6.9).
#include "check.h"

extern int later;
int tentative;
int tentative;
int open_array[];
static int twice(int), count(void);
int (*choose(int which))(int);

int fact(n) int n; { return n <= 1 ? 1 : n * fact(n - 1); }
static int count(void) { static int calls; return ++calls; }
static int twice(int x) { return 2 * x; }
static int thrice(int x) { return 3 * x; }
int (*choose(int which))(int) { return which ? twice : &thrice; }
static void set(int *p, char c) { *p = c; }
static long mix(char c, unsigned short s, long long l, ...) { return c + s + l; }
static int row(int n, int a[n][n], int i) { return a[i][n - 1]; }
static int even(unsigned n);
static int odd(unsigned n) { return n == 0 ? 0 : even(n - 1); }
static int even(unsigned n) { return n == 0 ? 1 : odd(n - 1); }
typedef int unary(int);
static int apply(unary f, int x) { return f(x); }
struct ops { int (*op)(int); struct ops *next; };
int no_prototype();
int no_prototype(a, c) int a; char c; { return a + c; }
_Thread_local int own = 4;
static int scope_test(int x) { extern int later; return x + later; }

int main(void) {
  check(fact(5) == 120 && count() == 1 && count() == 2);
  check(choose(1)(4) == 8 && (*choose(0))(4) == 12 && (**choose(0))(1) == 3);
  int v;
  set(&v, 300);
  check(v == 44);
  check(mix(-1, 65536 + 2, 1ll << 20, 5, 6.0) == 1048577);
  int square[3][3] = {{1, 2, 3}, {4, 5, 6}};
  check(row(3, square, 1) == 6);
  check(even(10) && odd(7) && !odd(4));
  check(apply(twice, 5) == 10 && apply(&thrice, 5) == 15);
  struct ops second = {thrice, 0}, one = {twice, &second};
  check(one.next->op(one.op(2)) == 12);
  check(no_prototype(3, 'a') == 100);
  check(tentative == 0 && open_array[0] == 0 && later == 6 && scope_test(1) == 7);
  check(own++ == 4 && own == 5);
  check(twice == choose(1) && choose(0) != 0 && !!twice);
  unary *list[] = {twice, thrice};
  int total = 0;
  for (int i = 0; i < 2; i++) total += list[i](10);
  check(total == 50);
  finish();
}
int later = 6;
