// What happens where control enters and leaves scopes: cleanup functions, compound literals, functions around main.
#include "check.h"

static int log_, started[3], starts;
static void note(int *p) { log_ = log_ * 10 + *p; }
#define NOTED __attribute__((cleanup(note)))

__attribute__((constructor)) static void third(void) { started[starts++] = 3; }
__attribute__((constructor(102))) static void second(void) { started[starts++] = 2; }
static void first(void) __attribute__((constructor(101)));
static void first(void) { started[starts++] = 1; }

static int early(int leave) {
  int a NOTED = 1;
  {
    NOTED int b = 2;
    if (leave) return log_;
  }
  int c NOTED = 3;
  return 5;
}
static void loop(void) {
  for (int i = 1; i < 5; i++) {
    int x NOTED = i;
    if (i == 2) continue;
    if (i == 3) break;
  }
}
static void jumps(void) {
  int n = 0;
again:;
  int x NOTED = ++n;
  if (n < 3) goto again;
  {
    int y NOTED = 7;
    goto out;
  }
out:;
}

struct pair { int a, b; };
static int sum(const struct pair *p) { return p->a + p->b; }
struct pair *kept = &(struct pair){4, 5};

static void literals(void) {
  int y = 1, n = 0;
  struct pair *chosen = y ? &(struct pair){1, 2} : &(struct pair){3, 4};
  check(chosen->a == 1 && sum(&(struct pair){5, 6}) == 11 && kept->b == 5);
top:;
  struct pair *p = &(struct pair){n, n};
  check(p->b == n);
  if (++n < 3) goto top;
  y && ((int[]){1, 2}[0] = n);
  for (int i = 0; i < 3; i++) {
    int list[2] = {0, 8}, *q = &(int){i};
    *q += 1;
    check(*q == i + 1);
    if (i == 1) continue;
    switch (i) {
    case 0: q = &list[1]; break;
    default: q = (int[]){7, 9}; return;
    }
    check(*q == 8);
  }
}

static int huge(void) {
  char text[5000] = "x";
  int numbers[2000] = {1, 2, [1999] = 4};
  struct big { int n; char d[6000]; } one = {3, {[5999] = 5}}, other = one;
  struct big *p = &other;
  one.d[5999] = 0;
  one = *p;
  check(text[0] == 'x' && !text[1] && !text[4999] && numbers[1] == 2 && !numbers[2] && numbers[1999] == 4);
  return one.n + one.d[5999] + one.d[17];
}

int main(void) {
  check(starts == 3 && started[0] == 1 && started[1] == 2 && started[2] == 3);
  check(early(1) == 0 && log_ == 21);
  log_ = 0;
  check(early(0) == 5 && log_ == 231);
  log_ = 0;
  loop();
  check(log_ == 123);
  log_ = 0;
  jumps();
  check(log_ == 1273);
  log_ = 0;
  int v = ({ int z NOTED = 4; log_ + z; });
  check(v == 4 && log_ == 4);
  literals();
  check(huge() == 8);
  finish();
}
