// Layout of records, bit-fields, copies, passing and returning (System V ABI).
#include "check.h"
#include <stddef.h>

#define LONG64 (sizeof(long) == 8)
struct a { char c; long long l; short s; };
_Static_assert(sizeof(struct a) == (LONG64 ? 24 : 16), "");
_Static_assert(offsetof(struct a, l) == (LONG64 ? 8 : 4), "");
struct b { char c; double d; } __attribute__((packed));
_Static_assert(sizeof(struct b) == 9 && _Alignof(struct b) == 1, "");
struct c { int a : 3; int b : 30; char c; unsigned long long d : 40; };
_Static_assert(sizeof(struct c) == 16 || !LONG64, "");
struct d { char a; int : 0; char b; int c : 9; short d : 4; };
_Static_assert(sizeof(struct d) == 8 && offsetof(struct d, b) == 4, "");
struct e { char a; int x __attribute__((aligned(16))); };
_Static_assert(sizeof(struct e) == 32, "");
struct f { char a; struct { short s; } in[3]; union { char c; int i; } u; };
_Static_assert(offsetof(struct f, in[1].s) == 4 && offsetof(struct f, u) == 8, "");
typedef int aligned_int __attribute__((aligned(8)));
struct g { char c; aligned_int i; };
_Static_assert(offsetof(struct g, i) == 8 && sizeof(struct g) == 16, "");
struct h { char c; _Alignas(8) short s; _Alignas(int) char d; } __attribute__((aligned(32)));
_Static_assert(offsetof(struct h, s) == 8 && offsetof(struct h, d) == 12 && sizeof(struct h) == 32, "");
struct __attribute__((packed)) k { char c; int i __attribute__((aligned(2))); long l : 20; };
_Static_assert(offsetof(struct k, i) == 2 && sizeof(struct k) == 10 && _Alignof(struct k) == 2, "");
_Static_assert(_Alignof(__typeof__(__typeof__(struct h))) == 32 && sizeof(__typeof__(__typeof__((char)1))) == 1, "");
typedef unsigned byte __attribute__((__mode__(__QI__)));
_Static_assert(sizeof(byte) == 1 && (byte)-1 == 255, "");
_Static_assert(sizeof(long double) == (LONG64 ? 16 : 12), "");
_Static_assert(sizeof(struct { char c; char d[]; }) == 1, "");
_Static_assert(sizeof(union { char c[5]; short s; }) == 6, "");
_Static_assert(_Alignof(long long) == (LONG64 ? 8 : 4), "");
// On i386, numbers of eight bytes need four and prefer eight: in objects of their own, not in structures.
struct at { char c; double d; } at;
double own[2];
_Static_assert(_Alignof(double) == (LONG64 ? 8 : 4) && _Alignof(double[2]) == (LONG64 ? 8 : 4), "");
_Static_assert(__alignof__(double) == 8 && __alignof__(unsigned long long) == 8 && __alignof__(double[2]) == 8, "");
_Static_assert(__alignof__(at.d) == (LONG64 ? 8 : 4) && __alignof__(struct at) == (LONG64 ? 8 : 4), "");
_Static_assert(__alignof__(__typeof__(at.d)) == 8 && __alignof__ own == 8 && _Alignof(own[1]) == 8, "");

struct small { int a, b; };
struct big { char tag; int items[5]; struct small in; };
union any { int i; char bytes[9]; };
struct fields { unsigned a : 1; signed b : 3; _Bool t : 1; unsigned c : 11; unsigned long long d : 34; };

static struct big change(struct big x, int i, int v) { x.items[i] = v; x.in.b = v; return x; }
static struct small swap(struct small s) { struct small r = {s.b, s.a}; return r; }
static int sum(struct small a, int k, struct small b) { return a.a + 10 * a.b + 100 * k + 1000 * b.a; }

int main(void) {
  struct big x = {'t', {1, 2, 3}, {7, 8}}, y;
  y = change(x, 2, 50);
  check(x.items[2] == 3 && x.in.b == 8 && y.items[2] == 50 && y.in.b == 50 && y.tag == 't' && y.items[1] == 2);
  struct small s = {1, 2};
  s = swap(s);
  check(s.a == 2 && s.b == 1 && swap(swap(s)).a == 2);
  check(sum(s, 3, swap(s)) == 1312);
  struct small (*ptr)(struct small) = swap;
  check(ptr(s).a == 1 && (*ptr)(s).b == 2);
  union any u = {.i = 0x01020304}, v;
  u.bytes[8] = 9;
  v = u;
  check(v.i == 0x01020304 && v.bytes[8] == 9);
  struct fields f = {0};
  f.a = 3;
  f.b = 5;
  f.t = 4;
  f.c = 2047;
  f.d = 0x3ffffffffull;
  check(f.a == 1 && f.b == -3 && f.t == 1 && f.c == 2047 && f.d == 0x3ffffffffull);
  f.c++;
  check(f.c == 0 && f.a == 1 && f.b == -3);
  check((f.b = 7) == -1 && (f.a += 1) == 0 && f.a-- == 0 && f.a == 1);
  f.d -= 5;
  check(f.d == 0x3fffffffaull && f.a - 2 < 0);
  struct fields g = f;
  check(g.d == f.d && g.b == -1);
  struct { int n; struct small all[3]; } arr = {2, {{1, 2}, {3, 4}}}, *pa = &arr;
  int i = 1;
  pa->all[i].b += 10;
  pa->all[i + 1] = pa->all[i];
  check(arr.all[2].b == 14 && &pa->all[2] - pa->all == 2);
  struct small *end = pa->all + 3, *it = pa->all;
  int total = 0;
  for (; it != end; it++) total += it->b;
  check(total == 30 && end > pa->all && !(it < end) && end - pa->all == 3);
  char *bytes = (char *)&arr;
  check(*(int *)(bytes + offsetof(struct small, b) + sizeof(int)) == 2);
  int cond = 1;
  check((cond ? s : swap(s)).a == 2);
  _Atomic struct small at;
  at = s;
  struct small back = at;
  check(back.a == 2);
  struct small chain1, chain2;
  chain1 = chain2 = s;
  check(chain1.b == 1 && (chain1 = swap(chain1)).a == 1);
  finish();
}
