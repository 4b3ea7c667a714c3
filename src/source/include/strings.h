/* Further operations on strings (POSIX). */
#ifndef __SELVEDGE_STRINGS_H
#define __SELVEDGE_STRINGS_H
#include <stddef.h>
extern int strcasecmp(const char *a, const char *b);
extern int strncasecmp(const char *a, const char *b, size_t size);
extern int ffs(int value);
extern int ffsl(long value);
extern int ffsll(long long value);
extern void bzero(void *object, size_t size);
extern void bcopy(const void *from, void *to, size_t size);
extern int bcmp(const void *a, const void *b, size_t size);
extern char *index(const char *text, int c);
extern char *rindex(const char *text, int c);
#endif
