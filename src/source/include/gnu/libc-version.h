/* The version of the C library (GNU); not modelled. */
#ifndef __SELVEDGE_GNU_LIBC_VERSION_H
#define __SELVEDGE_GNU_LIBC_VERSION_H
extern const char *gnu_get_libc_version(void);
extern const char *gnu_get_libc_release(void);
#endif
