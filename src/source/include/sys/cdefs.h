/* Macros of the headers of C libraries, which programs that come from BSD use as well. */
#if __has_include_next(<sys/cdefs.h>)
#include_next <sys/cdefs.h>
#elif !defined(__SELVEDGE_SYS_CDEFS_H)
#define __SELVEDGE_SYS_CDEFS_H
#define __BEGIN_DECLS
#define __END_DECLS
#define __P(parameters) parameters
#define __PMT(parameters) parameters
#define __CONCAT(a, b) a ## b
#define __STRING(text) #text
#define __THROW
#define __NTH(function) function
#define __ptr_t void *
#endif
