/* Counters behind descriptors (Linux); not modelled. */
#ifndef __SELVEDGE_SYS_EVENTFD_H
#define __SELVEDGE_SYS_EVENTFD_H
#include <stdint.h>
#define EFD_SEMAPHORE 1
#define EFD_NONBLOCK 04000
#define EFD_CLOEXEC 02000000
typedef uint64_t eventfd_t;
extern int eventfd(unsigned count, int flags);
extern int eventfd_read(int fd, eventfd_t *value);
extern int eventfd_write(int fd, eventfd_t value);
#endif
