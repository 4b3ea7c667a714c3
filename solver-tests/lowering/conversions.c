// Integer promotions, usual arithmetic conversions, assignments, casts (C11 6.3), literals (6.4.4).
#include "check.h"

unsigned char uc = 200;
signed char sc = -3;
short ss = -300;
unsigned short us = 65535;
unsigned u = 4000000000u;
_Bool b;
enum color { RED, GREEN = 7, BLUE };
enum negative { MINUS = -1, PLUS };

static int rank(unsigned long long v) { return v == 0xffffffffffffffffull; }

int main(void) {
  check(uc + uc == 400);
  check((unsigned char)(uc + uc) == 144);
  check(sc < 2u == 0);
  check(us + 1 == 65536);
  check((short)us == -1);
  check(-1 > 0u);
  check((long long)-1 > 0u == (sizeof(long long) < sizeof(unsigned)));
  check((u + u) == 3705032704u);
  check(u + 1ll == 4000000001ll);
  check(rank(-1));
  check(!rank(4294967295u));
  check((int)(signed char)0x80 == -128);
  check('\xff' == -1 && '\377' == -1 && 'ab' == 24930);
  check(L'\xe9' == 0xe9 && sizeof(L'a') == 4);
  b = 256;
  check(b == 1);
  b = 0;
  b--;
  check(b == 1);
  b += -1;
  check(b == 0);
  b = 0.5;
  check(b == 1);
  check((_Bool)&uc == 1);
  check(sizeof(enum color) == 4 && BLUE == 8);
  enum color c = RED;
  check(c - 1 > 0);
  enum negative n = PLUS;
  check(n - 1 < 0);
  check(sizeof(2147483648) == (sizeof(long) == 8 ? 8 : 8));
  check(sizeof(0x80000000) == 4 && 0x80000000 > 0);
  check(sizeof(4294967296) == 8);
  check(_Generic(1u + 1l, unsigned long: 1, long: 2, default: 3) == (sizeof(long) == 4 ? 1 : 2));
  check(_Generic('a', char: 1, int: 2) == 2);
  check(_Generic((char)'a', signed char: 0, char: 1, int: 2) == 1);
  check(_Generic(&uc, unsigned char *: 1, default: 0));
  check((unsigned long long)(int)-5 == 0xfffffffffffffffbull);
  check((unsigned long long)(unsigned)-5 == 0xfffffffbull);
  check((int)3.99 == 3 && (int)-3.99 == -3 && (int)2.5e2f == 250);
  check(0x1.8p1 == 3.0 && 1e3 == 1000);
  check((char)300 == 44);
  long l = -1;
  unsigned long ul = l;
  check(ul + 1 == 0);
  ss >>= 1;
  check(ss == -150);
  uc <<= 1;
  check(uc == 144);
  int i = -7;
  check(i / 2 == -3 && i % 2 == -1 && i >> 1 == -4 && (unsigned)i >> 28 == 15);
  finish();
}
