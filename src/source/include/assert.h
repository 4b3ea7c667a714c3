/* Diagnostics (C11 7.2). Read anew at every inclusion, so that NDEBUG may change. */
#undef assert
#ifdef NDEBUG
#define assert(e) ((void)0)
#else
#define assert(e) ((e) ? (void)0 : __assert_fail(#e, __FILE__, __LINE__, ""))
#endif
#ifndef __SELVEDGE_ASSERT_H
#define __SELVEDGE_ASSERT_H
#define static_assert _Static_assert
extern _Noreturn void __assert_fail(const char *assertion, const char *file, unsigned line, const char *function);
#endif
