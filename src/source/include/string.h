/* String handling (C11 7.24). */
#ifndef __SELVEDGE_STRING_H
#define __SELVEDGE_STRING_H
#if __has_include(<features.h>)
#include <features.h>
#endif
#include <sys/cdefs.h>
#include <stddef.h>
#include <strings.h>
extern void *memcpy(void *to, const void *from, size_t size);
extern void *memmove(void *to, const void *from, size_t size);
extern void *memset(void *to, int byte, size_t size);
extern int memcmp(const void *a, const void *b, size_t size);
extern void *memchr(const void *in, int byte, size_t size);
extern size_t strlen(const char *text);
extern size_t strnlen(const char *text, size_t size);
extern char *strcpy(char *to, const char *from);
extern char *strncpy(char *to, const char *from, size_t size);
extern char *strcat(char *to, const char *from);
extern char *strncat(char *to, const char *from, size_t size);
extern int strcmp(const char *a, const char *b);
extern int strncmp(const char *a, const char *b, size_t size);
extern char *strchr(const char *text, int c);
extern char *strrchr(const char *text, int c);
extern char *strstr(const char *text, const char *part);
extern size_t strspn(const char *text, const char *set);
extern size_t strcspn(const char *text, const char *set);
extern char *strpbrk(const char *text, const char *set);
extern char *strtok(char *text, const char *set);
extern char *strtok_r(char *text, const char *set, char **rest);
extern char *strsep(char **text, const char *set);
extern char *strdup(const char *text);
extern char *strndup(const char *text, size_t size);
extern char *stpcpy(char *to, const char *from);
extern char *stpncpy(char *to, const char *from, size_t size);
extern void *mempcpy(void *to, const void *from, size_t size);
extern void *memrchr(const void *in, int byte, size_t size);
extern void *rawmemchr(const void *in, int byte);
extern char *strchrnul(const char *text, int c);
extern int strcoll(const char *a, const char *b);
extern char *strerror(int number);
extern int strcoll(const char *a, const char *b);
extern size_t strxfrm(char *to, const char *from, size_t size);
extern char *strtok_r(char *text, const char *set, char **rest);
extern char *strndup(const char *text, size_t size);
extern int strerror_r(int number, char *to, size_t size);
extern char *strsignal(int number);
extern char *stpcpy(char *to, const char *from);
extern char *stpncpy(char *to, const char *from, size_t size);
extern void *memccpy(void *to, const void *from, int byte, size_t size);
extern void *memrchr(const void *in, int byte, size_t size);
extern void *mempcpy(void *to, const void *from, size_t size);
extern char *strchrnul(const char *text, int c);
extern char *strcasestr(const char *text, const char *part);
extern char *strsep(char **text, const char *set);
extern int strcasecmp(const char *a, const char *b);
extern int strncasecmp(const char *a, const char *b, size_t size);
#if __STDC_WANT_LIB_EXT1__
typedef int errno_t;
typedef size_t rsize_t;
extern errno_t memcpy_s(void *to, rsize_t most, const void *from, rsize_t size);
extern errno_t memmove_s(void *to, rsize_t most, const void *from, rsize_t size);
extern errno_t memset_s(void *to, rsize_t most, int byte, rsize_t size);
extern errno_t strcpy_s(char *to, rsize_t most, const char *from);
extern size_t strnlen_s(const char *text, size_t most);
#endif
#endif
