// The C library: division, numbers with their errors, tokens, functions at the end of the program.
#include "check.h"
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static int at_end;
static void last(void) {
  if (at_end == 21) reach_error();
}
static void note_one(void) { at_end = at_end * 10 + 1; }
static void note_two(void) { at_end = at_end * 10 + 2; }

static void numbers(void) {
  char *end;
  check(strtol("0x1f", &end, 0) == 31 && *end == 0 && strtol("077z", &end, 0) == 63 && *end == 'z');
  errno = 0;
  check(strtol("5", 0, 10) == 5 && errno == 0 && strtol("z", &end, 36) == 35);
  check(strtol("99999999999999999999", 0, 10) == LONG_MAX && errno == ERANGE);
  errno = 0;
  check(strtol("-99999999999999999999", 0, 10) == LONG_MIN && errno == ERANGE);
  errno = 0;
  check(strtoul("99999999999999999999999", 0, 10) == ULONG_MAX && errno == ERANGE);
  errno = 0;
  strtol("1", 0, 99);
  check(errno == EINVAL);
  div_t d = div(17, 5);
  ldiv_t l = ldiv(-17, 5);
  check(d.quot == 3 && d.rem == 2 && l.quot == -3 && l.rem == -2 && lldiv(9, 2).rem == 1);
  div_t (*pointer)(int, int) = div;
  check(pointer(9, 4).rem == 1);
  int r;
  unsigned u;
  check(__builtin_sadd_overflow(INT_MAX, 1, &r) && r == INT_MIN && __builtin_umul_overflow(~0u, 2u, &u));
  check(!__builtin_ssubl_overflow(3, 4, &(long){0}) && __builtin_add_overflow_p(INT_MAX, 1, 0));
  check(__builtin_clrsb(0) == 31 && __builtin_clrsb(-1) == 31 && __builtin_clrsb(1) == 30);
}

static void tokens(void) {
  char text[] = "a,b;c", *rest;
  check(!strcmp(strtok(text, ",;"), "a") && !strcmp(strtok(0, ",;"), "b") && !strcmp(strtok(0, ",;"), "c"));
  check(!strtok(0, ",;"));
  char other[] = "x y";
  check(!strcmp(strtok_r(other, " ", &rest), "x") && !strcmp(strtok_r(0, " ", &rest), "y"));
}

static void bits(void) {
  long one = 1;
  check(ffs(0) == 0 && ffs(12) == 3 && ffs(INT_MIN) == 32 && ffsl(0) == 0 && ffsl(one << 20) == 21);
  check(ffsl(LONG_MIN) == (sizeof(long) == 8 ? 64 : 32) && ffsll(0) == 0 && ffsll(1ll << 40) == 41 && ffsll(LLONG_MIN) == 64);
  check(__builtin_ffsl(one << 7) == 8 && __builtin_ffsll(3ll << 50) == 51 && __builtin_ffsll(0) == 0);
  check(__builtin_clzl(one) == (int)sizeof(long) * 8 - 1 && __builtin_clzll(1ull << 62) == 1);
  check(__builtin_ctzl(one << 30) == 30 && __builtin_ctzll(1ull << 62) == 62);
  check(__builtin_popcountl(255) == 8 && __builtin_popcountll(~0ull) == 64 && __builtin_popcountll(1ull << 63 | 1) == 2);
  check(__builtin_parityl(7) == 1 && __builtin_parityll(3ull << 40) == 0 && __builtin_parityll(1ull << 40) == 1);
  check(__builtin_clrsbl(-1) == (int)sizeof(long) * 8 - 1 && __builtin_clrsbll(1ll << 40) == 22);
}

/* Alignments that are none; the second of each is not known when the program is read. */
static void alignments(void) {
  static volatile size_t none[] = {3, 0, sizeof(void *) / 2, 48};
  void *p = &none;
  check(posix_memalign(&p, 3, 8) == EINVAL && posix_memalign(&p, 0, 8) == EINVAL);
  for (int i = 0; i < 4; i++)
    check(posix_memalign(&p, none[i], 8) == EINVAL && p == &none);
  check(posix_memalign(&p, sizeof(void *), 8) == 0 && p != &none);
  free(p);
  none[0] = 4 * sizeof(void *);
  check(posix_memalign(&p, none[0], 8) == 0 && p && p != &none);
  free(p);
  p = aligned_alloc(16, 32);
  check(p != 0);
  free(p);
}

static void texts(void) {
  char text[] = "a,b,c";
  check(index(text, ',') == text + 1 && rindex(text, ',') == text + 3 && !index(text, 'x') && !bcmp(text, "a,b", 3));
  char copy[8] = "zzzzzzz";
  check(memccpy(copy, text, 'b', 6) == copy + 3 && copy[3] == 'z' && !memccpy(copy, text, 'x', 2));
  check(strerror(EINVAL) != 0 && strtoimax("-12", 0, 10) == -12 && strtoumax("ff", 0, 16) == 255);
}

int main(void) {
  numbers();
  bits();
  alignments();
  texts();
  tokens();
  check(atexit(last) == 0 && atexit(note_one) == 0 && atexit(note_two) == 0);
  exit(3);
}
