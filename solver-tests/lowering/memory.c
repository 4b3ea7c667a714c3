// Memory management and block operations, with lengths that are constant and that are not.
#include "check.h"
#include <alloca.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

struct pair { char tag; int value; };
struct __attribute__((packed)) tight { char tag; int value; unsigned bits : 3; long long wide : 40; };
_Static_assert(sizeof(struct tight) == 11 && _Alignof(struct tight) == 1, "");
typedef int loose __attribute__((aligned(1)));
_Static_assert(_Alignof(loose) == 1 && sizeof(struct { char c; loose l; }) == 5, "");
struct packet { unsigned short length; unsigned char data[]; };
union word { unsigned u; unsigned char bytes[4]; };

static int total(const int *items, size_t n) {
  int sum = 0;
  while (n--) sum += items[n];
  return sum;
}

int main(void) {
  int *p = malloc(3 * sizeof *p);
  for (int i = 0; i < 3; i++) p[i] = i + 1;
  p = realloc(p, 7 * sizeof *p);
  for (int i = 3; i < 7; i++) p[i] = 10 * i;
  check(total(p, 7) == 6 + 180);
  p = realloc(p, 2 * sizeof *p);
  check(p[0] == 1 && p[1] == 2);
  int **pp = calloc(2, sizeof *pp);
  check(!pp[0] && !pp[1]);
  pp[1] = p;
  pp = realloc(pp, 5 * sizeof *pp);
  check(*pp[1] == 1 && pp[1][1] == 2);
  free(pp);
  free(p);
  free(0);
  p = realloc(0, 4);
  *p = 9;
  check(*p == 9);
  free(p);

  struct pair a[3] = {{'a', 1}, {'b', 2}, {'c', 3}}, b[3];
  memcpy(b, a, sizeof a);
  check(b[2].tag == 'c' && b[1].value == 2 && memcmp(b, b, sizeof b) == 0);
  memmove(&b[1], &b[0], 2 * sizeof b[0]);
  check(b[0].tag == 'a' && b[1].tag == 'a' && b[2].value == 2);
  memset(b, 0xff, sizeof *b);
  check(b[0].value == -1 && b[0].tag == -1 && b[1].value == 1);
  memset(&a, 0, sizeof a);
  memset(b, 0, sizeof b);
  a[1].value = b[1].value = 5;
  check(memcmp(a, b, sizeof a) == 0);
  b[2].tag = 1;
  check(memcmp(a, b, sizeof a) < 0 && memcmp(b, a, sizeof a) > 0 && memcmp(a, b, 2 * sizeof *a) == 0);

  long words[6] = {1, 2, 3, 4, 5, 6};
  for (int n = 0; n < 4; n++) {
    long other[6];
    memset(other, n, n * sizeof(long));
    memcpy(other + n, words, (6 - n) * sizeof *words);
    check(other[5] == 6 - n && (n == 0 || (char)other[0] == n));
    memmove(other + 1, other, n * sizeof *other + 3);
    check(n == 0 || other[1] == other[0]);
    check(memcmp(other + n, words, 0) == 0);
  }
  unsigned u;
  int i = -2;
  memcpy(&u, &i, sizeof u);
  check(u == 0xfffffffeu);
  memcpy((void *)&i, (char *)&u + 1, 2);
  check(i == -1);
  union word w = {.u = 0x04030201};
  unsigned char copy[4];
  memcpy(copy, &w, 4);
  check(copy[0] == 1 && copy[3] == 4);

  struct tight t = {'x', 0x01020304, 5, -7}, *tp = &t;
  tp->value++;
  tp->wide *= 3;
  check(t.value == 0x01020305 && t.bits == 5 && t.wide == -21 && t.tag == 'x');
  char raw[3 * sizeof t];
  memset(raw, 0, sizeof raw);
  ((struct tight *)(raw + 3))->value = 77;
  loose *l = (loose *)(raw + 4);
  check(*l == 77);
  struct tight more[2] = {t, {.value = 3}};
  check(more[0].wide == -21 && more[1].value == 3 && offsetof(struct tight, value) == 1);

  struct packet *k = malloc(sizeof *k + 5);
  k->length = 5;
  memset(k->data, 'k', k->length);
  check(k->data[4] == 'k' && (unsigned char *)k + 2 == k->data);
  free(k);
  int room = 3;
  char *q = alloca(room + 1);
  memset(q, 'q', room);
  q[room] = 0;
  check(strlen(q) == 3);
  finish();
}
