#define _GNU_SOURCE
// Numbers in text, characters, sorting and searching.
#include "check.h"
#include <ctype.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

struct entry { short key; char name[6]; };
static int by_key(const void *a, const void *b) { return ((const struct entry *)a)->key - ((const struct entry *)b)->key; }
static int down(const void *a, const void *b) { return *(const int *)b - *(const int *)a; }

int main(void) {
  char *end;
  check(abs(-5) == 5 && labs(7) == 7 && llabs(-9) == 9);
  check(strtol(" -12z", &end, 10) == -12 && *end == 'z' && strtol("0x1F", 0, 0) == 31 && strtol("017", 0, 0) == 15);
  check(strtol("zz", &end, 36) == 1295 && !*end && strtol("q", &end, 10) == 0 && *end == 'q' && strtol("0xg", &end, 16) == 0);
  check(*end == 'x' && strtoll("9223372036854775808", 0, 10) == LLONG_MAX && strtoll("-9223372036854775808", 0, 10) == LLONG_MIN);
  check(strtoll("-9223372036854775809", 0, 10) == LLONG_MIN && strtoull("18446744073709551616", 0, 10) == ULLONG_MAX);
  check(strtoul("-1", 0, 10) == ULONG_MAX && atol("12") == 12 && atoll("-3") == -3 && strtol("", &end, 0) == 0);
  check(isdigit('7') && !isdigit('a') && isspace('\n') && isupper('Q') && tolower('Q') == 'q' && toupper('1') == '1' && ispunct('!'));
  int v[5] = {3, 1, 4, 1, 5};
  qsort(v, 5, sizeof *v, down);
  check(v[0] == 5 && v[1] == 4 && v[2] == 3 && v[3] == 1 && v[4] == 1);
  struct entry e[4] = {{9, "nine"}, {2, "two"}, {5, "five"}, {1, "one"}}, key = {5, ""}, *found;
  qsort(e, 4, sizeof(struct entry), by_key);
  check(e[0].key == 1 && strcmp(e[3].name, "nine") == 0);
  found = bsearch(&key, e, 4, sizeof *e, by_key);
  check(found && strcmp(found->name, "five") == 0);
  key.key = 3;
  check(!bsearch(&key, e, 4, sizeof *e, by_key));
  check(strcasecmp("Weft", "wEFT") == 0 && strncasecmp("abC", "ABd", 2) == 0 && strcasecmp("a", "B") < 0);
  char *copy = strndup("selvedge", 3);
  check(strcmp(copy, "sel") == 0);
  free(copy);
  char line[] = ",a,,bc;d", *rest, *part = strtok_r(line, ",;", &rest);
  check(strcmp(part, "a") == 0 && strcmp(part = strtok_r(0, ",;", &rest), "bc") == 0);
  check(strcmp(strtok_r(0, ",;", &rest), "d") == 0 && !strtok_r(0, ",;", &rest));
  char two[6] = "xy";
  check(stpcpy(two, "ab") == two + 2 && stpncpy(two, "q", 3) == two + 1 && !two[2]);
  finish();
}
