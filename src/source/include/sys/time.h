/* Time (POSIX). */
#ifndef __SELVEDGE_SYS_TIME_H
#define __SELVEDGE_SYS_TIME_H
#include <sys/types.h>
#include <sys/select.h>
struct timezone { int tz_minuteswest, tz_dsttime; };
struct itimerval { struct timeval it_interval, it_value; };
#define ITIMER_REAL 0
#define ITIMER_VIRTUAL 1
#define ITIMER_PROF 2
extern int gettimeofday(struct timeval *to, void *zone);
extern int settimeofday(const struct timeval *from, const struct timezone *zone);
extern int getitimer(int which, struct itimerval *to);
extern int setitimer(int which, const struct itimerval *value, struct itimerval *old);
extern int utimes(const char *path, const struct timeval times[2]);
#define timerclear(t) ((t)->tv_sec = (t)->tv_usec = 0)
#define timerisset(t) ((t)->tv_sec || (t)->tv_usec)
#endif
