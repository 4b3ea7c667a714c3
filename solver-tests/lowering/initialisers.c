// Initialisers (C11 6.7.9), static and automatic: braces left out, designators, strings, zeros.
#include "check.h"

struct point { int x, y; };
struct line { struct point from, to; char name[6]; };
union word { unsigned u; unsigned char c[4]; };
struct mixed { char c; union { int i; short s; }; struct { int a, b; }; int tail[3]; };

struct line g1 = {1, 2, {3}, "ab"};
struct line g2 = {.to.y = 7, .from = {.y = 5}, .name = {'q', [3] = 'r'}};
struct line g3[] = {[1].to = {1, 2}, [1].name[1] = 'z', 'w', [2] = {{9}}};
int m[3][2] = {1, 2, 3, [2] = {[1] = 6}};
int ranges[10] = {[2 ... 4] = 7, 8, [9] = 1};
char s1[] = "hello", s2[3] = "abc", s3[8] = {"xy"};
const char *texts[] = {"one", "two" "three"};
union word w = {.c = {1, 2, 3, 4}};
struct mixed mx = {1, {.s = 2}, {3, .b = 4}, 5, 6};
struct mixed my = {.b = 4, .i = 9, .tail[1] = 3};
int *p = &ranges[3], (*rows)[2] = m + 1;
struct point *pp = &g3[1].to;
int over[3] = {1, 2, [0] = 5, 6};
struct flex { int n; int items[]; } flex = {2, {10, 20}};
int *literal = (int[]){4, 5, 6};
struct point lit = (struct point){.y = 3};
_Bool flags[] = {2, 0, 1};
int bare = {3};
int fn(int x) { return x + 1; }
int (*table[2])(int) = {[1] = fn};

static struct point make(int x) { return (struct point){x, x * 2}; }

int main(void) {
  check(g1.from.x == 1 && g1.from.y == 2 && g1.to.x == 3 && g1.to.y == 0);
  check(g1.name[0] == 'a' && g1.name[1] == 'b' && g1.name[2] == 0 && g1.name[5] == 0);
  check(g2.to.y == 7 && g2.from.x == 0 && g2.from.y == 5 && g2.name[0] == 'q' && g2.name[3] == 'r');
  check(sizeof g3 == 3 * sizeof(struct line) && g3[1].to.y == 2 && g3[1].name[1] == 'z' && g3[1].name[2] == 'w');
  check(g3[2].from.x == 9 && g3[0].from.x == 0);
  check(m[0][0] == 1 && m[0][1] == 2 && m[1][0] == 3 && m[1][1] == 0 && m[2][0] == 0 && m[2][1] == 6);
  check(ranges[1] == 0 && ranges[2] == 7 && ranges[4] == 7 && ranges[5] == 8 && ranges[9] == 1);
  check(sizeof s1 == 6 && s1[5] == 0 && s2[2] == 'c' && s3[1] == 'y' && s3[2] == 0);
  check(texts[1][3] == 't' && texts[0][3] == 0 && sizeof texts == 2 * sizeof(char *));
  check(w.u == 0x04030201u);
  check(mx.c == 1 && mx.s == 2 && mx.a == 3 && mx.b == 4 && mx.tail[0] == 5 && mx.tail[1] == 6);
  check(my.a == 0 && my.b == 4 && my.i == 9 && my.tail[1] == 3 && my.tail[2] == 0);
  check(*p == 7 && (*rows)[0] == 3 && pp->x == 1);
  check(over[0] == 5 && over[1] == 6 && over[2] == 0);
  check(flex.items[1] == 20 && sizeof flex == sizeof(int));
  check(literal[2] == 6 && lit.y == 3 && lit.x == 0);
  check(flags[0] == 1 && flags[1] == 0 && flags[2] == 1 && bare == 3);
  check(table[1](4) == 5 && table[0] == 0);

  int one = 1;
  struct line l = {one, .to = make(one + 1), .name = "xyz"};
  check(l.from.x == 1 && l.from.y == 0 && l.to.x == 2 && l.to.y == 4 && l.name[2] == 'z' && l.name[4] == 0);
  struct point pts[3] = {make(3), {one}, [2].y = one + 4};
  check(pts[0].y == 6 && pts[1].x == 1 && pts[1].y == 0 && pts[2].x == 0 && pts[2].y == 5);
  struct point q = pts[0], *self = &q;
  check(self->x == 3);
  int zero[4] = {0}, part[4] = {one, [2] = one};
  check(zero[3] == 0 && part[0] == 1 && part[1] == 0 && part[2] == 1 && part[3] == 0);
  char text[] = "hey", wide[10] = "a";
  check(sizeof text == 4 && text[2] == 'y' && wide[0] == 'a' && wide[1] == 0 && wide[9] == 0);
  struct { unsigned a : 3, b : 5; int c; } bits = {.b = 17, .c = one};
  check(bits.a == 0 && bits.b == 17 && bits.c == 1);
  check((struct point){5, 6}.y == 6 && make(7).x == 7 && (&(struct point){8, 9})->y == 9);
  static int count = 3;
  static int *counter = &count;
  ++*counter;
  check(count == 4);
  union word u = {0x01020304};
  check(u.c[0] == 4 && u.c[3] == 1);
  struct point empty = {};
  check(empty.x == 0 && empty.y == 0);
  finish();
}
