/* Wide characters (C11 7.29). */
#ifndef __SELVEDGE_WCHAR_H
#define __SELVEDGE_WCHAR_H
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <time.h>
typedef __WINT_TYPE__ wint_t;
typedef struct { int __count; unsigned __value; } mbstate_t;
#ifndef WCHAR_MAX
#define WCHAR_MAX 2147483647
#define WCHAR_MIN (-WCHAR_MAX - 1)
#endif
#define WEOF 0xffffffffU
extern size_t wcslen(const wchar_t *text);
extern wchar_t *wcscpy(wchar_t *to, const wchar_t *from);
extern wchar_t *wcsncpy(wchar_t *to, const wchar_t *from, size_t count);
extern wchar_t *wcscat(wchar_t *to, const wchar_t *from);
extern wchar_t *wcsncat(wchar_t *to, const wchar_t *from, size_t count);
extern int wcscmp(const wchar_t *a, const wchar_t *b);
extern int wcsncmp(const wchar_t *a, const wchar_t *b, size_t count);
extern int wcscoll(const wchar_t *a, const wchar_t *b);
extern wchar_t *wcschr(const wchar_t *text, wchar_t c);
extern wchar_t *wcsrchr(const wchar_t *text, wchar_t c);
extern wchar_t *wcsstr(const wchar_t *text, const wchar_t *part);
extern size_t wcsspn(const wchar_t *text, const wchar_t *set);
extern size_t wcscspn(const wchar_t *text, const wchar_t *set);
extern wchar_t *wcspbrk(const wchar_t *text, const wchar_t *set);
extern wchar_t *wcstok(wchar_t *text, const wchar_t *set, wchar_t **rest);
extern wchar_t *wmemcpy(wchar_t *to, const wchar_t *from, size_t count);
extern wchar_t *wmemmove(wchar_t *to, const wchar_t *from, size_t count);
extern wchar_t *wmemset(wchar_t *to, wchar_t c, size_t count);
extern int wmemcmp(const wchar_t *a, const wchar_t *b, size_t count);
extern wchar_t *wmemchr(const wchar_t *in, wchar_t c, size_t count);
extern long wcstol(const wchar_t *text, wchar_t **end, int base);
extern unsigned long wcstoul(const wchar_t *text, wchar_t **end, int base);
extern long long wcstoll(const wchar_t *text, wchar_t **end, int base);
extern unsigned long long wcstoull(const wchar_t *text, wchar_t **end, int base);
extern double wcstod(const wchar_t *text, wchar_t **end);
extern wint_t btowc(int c);
extern int wctob(wint_t c);
extern int mbsinit(const mbstate_t *state);
extern size_t mbrlen(const char *text, size_t size, mbstate_t *state);
extern size_t mbrtowc(wchar_t *to, const char *from, size_t size, mbstate_t *state);
extern size_t wcrtomb(char *to, wchar_t c, mbstate_t *state);
extern size_t mbsrtowcs(wchar_t *to, const char **from, size_t count, mbstate_t *state);
extern size_t wcsrtombs(char *to, const wchar_t **from, size_t size, mbstate_t *state);
extern int wprintf(const wchar_t *format, ...);
extern int fwprintf(FILE *stream, const wchar_t *format, ...);
extern int swprintf(wchar_t *to, size_t count, const wchar_t *format, ...);
extern int vwprintf(const wchar_t *format, va_list list);
extern int wscanf(const wchar_t *format, ...);
extern wint_t fgetwc(FILE *stream);
extern wint_t getwc(FILE *stream);
extern wint_t getwchar(void);
extern wint_t fputwc(wchar_t c, FILE *stream);
extern wint_t putwc(wchar_t c, FILE *stream);
extern wint_t putwchar(wchar_t c);
extern wchar_t *fgetws(wchar_t *to, int count, FILE *stream);
extern int fputws(const wchar_t *text, FILE *stream);
extern wint_t ungetwc(wint_t c, FILE *stream);
extern int fwide(FILE *stream, int mode);
extern size_t wcsftime(wchar_t *to, size_t count, const wchar_t *format, const struct tm *time);
#endif
