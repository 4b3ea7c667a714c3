/* General utilities (C11 7.22). */
#ifndef __SELVEDGE_STDLIB_H
#define __SELVEDGE_STDLIB_H
#include <stddef.h>
#include <sys/cdefs.h>
#include <alloca.h>
#define EXIT_SUCCESS 0
#define EXIT_FAILURE 1
#define RAND_MAX 2147483647
typedef struct { int quot; int rem; } div_t;
typedef struct { long quot; long rem; } ldiv_t;
extern void *malloc(size_t size);
extern void *calloc(size_t count, size_t size);
extern void *realloc(void *old, size_t size);
extern void *aligned_alloc(size_t alignment, size_t size);
extern int posix_memalign(void **to, size_t alignment, size_t size);
extern void free(void *object);
extern _Noreturn void abort(void);
extern _Noreturn void exit(int status);
extern _Noreturn void _Exit(int status);
extern _Noreturn void quick_exit(int status);
extern int atexit(void (*handler)(void));
extern int at_quick_exit(void (*handler)(void));
extern char *getenv(const char *name);
extern int system(const char *command);
extern int rand(void);
extern void srand(unsigned seed);
extern int rand_r(unsigned *seed);
extern long random(void);
extern void srandom(unsigned seed);
extern int atoi(const char *text);
extern long atol(const char *text);
extern long long atoll(const char *text);
extern double atof(const char *text);
extern long strtol(const char *text, char **end, int base);
extern unsigned long strtoul(const char *text, char **end, int base);
extern long long strtoll(const char *text, char **end, int base);
extern unsigned long long strtoull(const char *text, char **end, int base);
extern double strtod(const char *text, char **end);
extern void qsort(void *base, size_t count, size_t size, int (*compare)(const void *, const void *));
extern void *bsearch(const void *key, const void *base, size_t count, size_t size,
                     int (*compare)(const void *, const void *));
static inline int abs(int value) { return value < 0 ? -value : value; }
static inline long labs(long value) { return value < 0 ? -value : value; }
static inline long long llabs(long long value) { return value < 0 ? -value : value; }
static inline div_t div(int a, int b) { div_t r = { a / b, a % b }; return r; }
static inline ldiv_t ldiv(long a, long b) { ldiv_t r = { a / b, a % b }; return r; }
#define MB_CUR_MAX 1
typedef struct { long long quot; long long rem; } lldiv_t;
static inline lldiv_t lldiv(long long a, long long b) { lldiv_t r = { a / b, a % b }; return r; }
extern float strtof(const char *text, char **end);
extern long double strtold(const char *text, char **end);
extern int mblen(const char *text, size_t size);
extern int mbtowc(wchar_t *to, const char *from, size_t size);
extern int wctomb(char *to, wchar_t c);
extern size_t mbstowcs(wchar_t *to, const char *from, size_t count);
extern size_t wcstombs(char *to, const wchar_t *from, size_t size);
extern int setenv(const char *name, const char *value, int overwrite);
extern int unsetenv(const char *name);
extern int putenv(char *text);
extern void *valloc(size_t size);
extern void *memalign(size_t alignment, size_t size);
extern void *reallocarray(void *old, size_t count, size_t size);
extern int mkstemp(char *pattern);
extern char *mkdtemp(char *pattern);
extern char *realpath(const char *path, char *to);
extern double drand48(void);
extern long lrand48(void);
extern long mrand48(void);
extern void srand48(long seed);
extern char *initstate(unsigned seed, char *state, size_t size);
#endif
