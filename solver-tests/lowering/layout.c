// Layouts that attributes and pragmas change, bit-fields of all widths.
#include "check.h"

#pragma pack(push, 1)
struct tight { char c; int i; long long l; };
#pragma pack(2)
struct half { char c; int i; };
#pragma pack(pop)
struct plain { char c; int i; };
#pragma pack(push)
#pragma pack(4)
struct four { char c; long long l; };
#pragma pack(pop)
#pragma pack(1)
struct bits { short s; int b : 5; int f : 20; };
struct inner { struct plain p; char d; };
struct raised { char c; int i __attribute__((aligned(4))); };
union either { char c; int i; };
#pragma pack()
struct usual { char c; short s; };
_Pragma("pack(1)") struct by_operator { char c; int i; }; _Pragma("pack()")

struct wide {
  int a : 3;
  unsigned b : 5;
  long long c : 40;
  unsigned long long d : 33;
  _Bool e : 1;
  unsigned char f : 7;
  int : 0;
  int g : 32;
  unsigned long long h : 32, i : 64, j : 31;
  long long k : 63;
};

static void widths(void) {
  struct wide x = {3, 31, -5, 1ull << 32, 1, 127, -1, ~0u, ~0ull, 0x7fffffff, -1};
  check(x.a == 3 && x.b == 31 && x.c == -5 && x.d == 1ull << 32 && x.e && x.f == 127 && x.g == -1);
  check(x.h == ~0u && x.i == ~0ull && x.j == 0x7fffffff && x.k == -1);
  x.d = ~0ull;
  // A field of 33 bits computes in 33 bits, one of 31 bits as an int, one of 32 bits as an unsigned int.
  check(x.d + 1 == 0 && -x.d == 1 && (x.d << 1) == 0x1fffffffeull && x.d * 2 == 0x1fffffffeull);
  check(x.d - 1 > 0 && (x.d >> 1) == 0xffffffffull && ~x.d == 0 && x.d + 1ll == 1ll << 33);
  check(x.j - 0x7fffffff - 1 < 0 && _Generic(+x.j, int: 1, default: 0) && x.h + 1 == 0);
  check(sizeof(x.d + 0) == 8 && sizeof(x.h + 0) == 4);
  unsigned long long all = x.d;
  check(all == 0x1ffffffffull && (x.d ? x.d : 0) == all);
  x.d++;
  x.c <<= 1;
  x.f += 200;
  x.k -= 1;
  check(x.d == 0 && x.c == -10 && x.f == (127 + 200) % 128 && x.k == -2 && (x.a = 7) == -1 && (x.d = ~0ull) == all);
  switch (x.d) { case 0x1ffffffffull: break; default: check(0); }
}

int main(void) {
  check(sizeof(struct tight) == 13 && sizeof(struct half) == 6 && sizeof(struct plain) == 8);
  check(sizeof(struct four) == 12 && sizeof(struct bits) == 6 && sizeof(struct inner) == 9);
  check(sizeof(struct raised) == 5 && sizeof(union either) == 4 && _Alignof(union either) == 1);
  check(sizeof(struct usual) == 4 && sizeof(struct by_operator) == 5);
  struct tight list[2] = {{1, 2, 3}, {4, 5, 6}}, *p = &list[1];
  p->i++;
  p->l <<= 40;
  check(list[1].i == 6 && list[1].l == 6ll << 40 && list[0].l == 3);
  struct bits b = {7, -3, 1 << 18};
  check(b.s == 7 && b.b == -3 && b.f == 1 << 18);
  widths();
  finish();
}
