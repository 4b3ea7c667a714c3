// Statements: loops, switch, goto, scopes (C11 6.8).
#include "check.h"

int trace[64], length;
static void t(int v) { trace[length++] = v; }

static int duff(int n) {
  int count = 0;
  switch (n % 4) {
  case 0: do { count++;
  case 3:      count++;
  case 2:      count++;
  case 1:      count++;
          } while ((n -= 4) > 0);
  }
  return count;
}

static int classify(int x) {
  switch (x) {
    int y;
  case -1: return 100;
  case 1 ... 5: y = 3; return y;
  case 1000 ... 100000: return 4;
  case 7: x++;
  case 8: y = x; break;
  default: return 0;
  }
  return x;
}

static int jump_in(int skip) {
  int total = 0, i = 0;
  if (skip) goto middle;
  for (i = 0; i < 3; i++) {
    total += 10;
  middle:
    total += 1;
  }
  return total * 10 + i;
}

static int search(int wanted) {
  for (int i = 0; i < 4; i++)
    for (int j = 0; j < 4; j++) {
      if (j == 3) continue;
      if (i * 3 + j == wanted) goto found;
    }
  return -1;
found:
  return wanted;
}

static int addresses(void) {
  int *first = 0, same = 0;
  for (int i = 0; i < 3; i++) {
    int x = i;
    int *p = &x;
    (*p)++;
    same += x;
    if (!first) first = p;
    if (i == 1) continue;
    same += 100;
  }
  return same;
}

static int early(int n) {
  do {
    if (n == 1) break;
    if (n == 2) continue;
    return 3;
  } while (0);
  return n;
}

int f(int x) { t(x); return x; }

int main(void) {
  check(duff(1) == 1 && duff(4) == 4 && duff(7) == 7 && duff(10) == 10);
  check(classify(-1) == 100 && classify(3) == 3 && classify(5000) == 4 && classify(7) == 8);
  check(classify(8) == 8 && classify(6) == 0 && classify(100001) == 0 && classify(-1000) == 0);
  check(jump_in(0) == 333 && jump_in(1) == 233);
  check(search(5) == 5 && search(11) == 11 && search(50) == -1);
  check(addresses() == 206);
  check(early(1) == 1 && early(2) == 2 && early(9) == 3);
  (f(0) && f(1)) || f(2);
  f(3) || f(4);
  f(5) && (f(0) || f(6)) && f(7);
  int v = f(0) ? f(8) : f(9);
  check(length == 9 && v == 9);
  check(trace[0] == 0 && trace[1] == 2 && trace[2] == 3 && trace[3] == 5 && trace[4] == 0);
  check(trace[5] == 6 && trace[6] == 7 && trace[7] == 0 && trace[8] == 9);
  int n = 0;
  while (1) { if (++n == 5) break; }
  for (;;) { if (n++ > 7) goto out; }
out:
  check(n == 9);
  if (0) { inside: n = 50; } else n++;
  if (n == 10) goto inside;
  check(n == 50);
  int s = ({ int q = 3; { int q = 4; n = q; } q + n; });
  check(s == 7);
  typedef int T;
  { typedef char T; check(sizeof(T) == 1); }
  check(sizeof(T) == sizeof(int));
  int k = (n = 1, n + 1);
  check(k == 2);
  int shadow = 1;
  for (int shadow = 5; shadow < 6; shadow++) check(shadow == 5);
  check(shadow == 1);
  unsigned e = 3;
  while (e --> 0) if (e == 1) break;
  check(e == 1);
  int len = 4;
  int vla[len][2];
  vla[3][1] = 9;
  len = 7;
  check(sizeof vla == 8 * sizeof(int) && vla[3][1] == 9 && &vla[3] - &vla[1] == 2);
  finish();
}
