// The C library: division, numbers with their errors, tokens, functions at the end of the program.
#include "check.h"
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

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

int main(void) {
  numbers();
  tokens();
  check(atexit(last) == 0 && atexit(note_one) == 0 && atexit(note_two) == 0);
  exit(3);
}
