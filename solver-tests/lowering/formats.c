// Output to memory (C11 7.21.6), formats that come as parameters, lists that are passed on.
#include "check.h"
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static int written(char *to, size_t size, const char *format, ...) {
  va_list list;
  va_start(list, format);
  int n = vsnprintf(to, size, format, list);
  va_end(list);
  return n;
}
static int lines;
static void say(const char *format, ...) {
  va_list list;
  va_start(list, format);
  vprintf(format, list);
  va_end(list);
  lines++;
}

int main(void) {
  char b[64];
  check(written(b, 64, "%d-%s", 42, "ab") == 5 && !strcmp(b, "42-ab"));
  check(written(b, 3, "%lld", 1ll << 40) == 13 && !strcmp(b, "10"));
  say("%d %s", 1, "a");
  say("x");
  check(lines == 2);
  sprintf(b, "%.3d|%8.4x|%-6u|%+.0d|%.2s", 7, 0xabu, 5u, 0, "xyz");
  check(!strcmp(b, "007|    00ab|5     |+|xy"));
  sprintf(b, "%lo %hu %hhx %llX %c%c", 8l, (unsigned short)65535, 0x1ffu, ~0ull, 'o', 0);
  check(!strcmp(b, "10 65535 ff FFFFFFFFFFFFFFFF o"));

  check(sprintf(b,"%d",42)==2&&!strcmp(b,"42"));
  check(sprintf(b,"%s-%c!%%",(char*)"ab",'z')==6&&!strcmp(b,"ab-z!%"));
  sprintf(b,"%d %d",-1,0);
  check(!strcmp(b,"-1 0"));
  sprintf(b,"%u %x %X",10u,255,255);
  check(!strcmp(b,"10 ff FF"));
  sprintf(b,"%ld %lu %lld",-5L,6ul,7ll);
  check(!strcmp(b,"-5 6 7"));
  check(snprintf(b,4,"%s","abcdef")==6&&!strcmp(b,"abc"));
  check(snprintf(0,0,"%d",1234)==4);
  sprintf(b,"%5d|%-5d|%05d",42,42,42);
  check(!strcmp(b,"   42|42   |00042"));
  sprintf(b,"%.3s|%8s|%-4s|","abcdef","hi","x");
  check(!strcmp(b,"abc|      hi|x   |"));
  sprintf(b,"plain");
  check(!strcmp(b,"plain"));
  sprintf(b, "%*d", 4, 7);
  check(!strcmp(b,"   7"));
  sprintf(b,"%o",8);
  check(!strcmp(b,"10"));
  sprintf(b,"%#x %+d % d",16,3,4);
  check(!strcmp(b,"0x10 +3  4"));
  sprintf(b,"%zu",sizeof(int));
  check(!strcmp(b,"4"));
  sprintf(b,"%hhd",257);
  check(!strcmp(b,"1"));
  sprintf(b,"thread_%d_%d",3,17);
  check(!strcmp(b,"thread_3_17"));
  sprintf(b,"%d",(int)0x80000000);
  check(!strcmp(b,"-2147483648"));
  finish();
}
