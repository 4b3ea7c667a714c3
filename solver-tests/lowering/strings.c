// Strings, and characters beyond ASCII.
#include "check.h"
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

static int sign(int n) { return (n > 0) - (n < 0); }

int main(void) {
  char t[32] = "weft", u[16];
  const char *w = "weft and warp";
  check(strlen(w) == 13 && strnlen(w, 4) == 4 && sizeof "weft" == 5);
  check(strcpy(u, t) == u && strcmp(u, t) == 0 && strcat(t, " and") == t && strlen(t) == 8);
  check(sign(strcmp("a", "b")) == -1 && sign(strcmp("b", "a")) == 1 && sign(strcmp("a", "ab")) == -1);
  check(sign(strcmp("\xff", "a")) == 1 && strncmp(t, w, 8) == 0 && sign(strncmp(t, w, 9)) == -1);
  check(strchr(w, 'n') == w + 6 && !strchr(w, 'z') && *strchr(w, 0) == 0 && strrchr(w, 'w') == w + 9);
  check(strstr(w, "and") == w + 5 && !strstr(w, "And") && strstr(w, "") == w && strpbrk(w, "xyf") == w + 2);
  check(strspn(w, "ewf") == 3 && strcspn(w, " ") == 4);
  memset(u, 'x', sizeof u);
  strncpy(u, "ab", 4);
  check(u[2] == 0 && u[3] == 0 && u[4] == 'x');
  strncat(u, "cdef", 2);
  check(strcmp(u, "abcd") == 0);
  char *d = strdup(w);
  d[4] = 0;
  check(strcmp(d, "weft") == 0 && d != w && memchr(d, 'f', 4) == d + 2 && !memchr(d, 'f', 2));
  free(d);
  check(atoi(" -42x") == -42 && atoi("+7") == 7 && atoi("") == 0);
  check(L'\u00e9' == 0xe9 && '\x41' == 65 && L'\x1234' == 0x1234 && u'\u20ac' == 0x20ac && '\377' == -1 && 'ab' == 24930);
  wchar_t wide[] = L"w\u00e9\U0001f600" L"!";
  check(sizeof wide / sizeof *wide == 5 && wide[1] == 0xe9 && wide[2] == 0x1f600 && wide[3] == '!' && !wide[4]);
  const char *utf = "\u00e9\u20ac" u8"\u00df";
  check(strlen(utf) == 7 && (unsigned char)utf[0] == 0xc3 && (unsigned char)utf[2] == 0xe2 && (unsigned char)utf[6] == 0x9f);
  check(sizeof u"a\U0001f600" == 8 && u"a\U0001f600"[2] == 0xde00 && U"\U0001f600"[0] == 0x1f600 && sizeof L"" == sizeof(wchar_t));
  check("\e[0m"[0] == 27);
  finish();
}
