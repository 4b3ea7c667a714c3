/* Timers behind descriptors (Linux); not modelled. */
#ifndef __SELVEDGE_SYS_TIMERFD_H
#define __SELVEDGE_SYS_TIMERFD_H
#include <time.h>
#define TFD_NONBLOCK 04000
#define TFD_CLOEXEC 02000000
#define TFD_TIMER_ABSTIME 1
extern int timerfd_create(clockid_t clock, int flags);
extern int timerfd_settime(int fd, int flags, const struct itimerspec *value, struct itimerspec *old);
extern int timerfd_gettime(int fd, struct itimerspec *value);
#endif
