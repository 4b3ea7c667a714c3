/* Date and time (C11 7.27, POSIX). */
#ifndef __SELVEDGE_TIME_H
#define __SELVEDGE_TIME_H
#include <stddef.h>
#include <sys/types.h>
#define CLOCKS_PER_SEC 1000000L
#define CLOCK_REALTIME 0
#define CLOCK_MONOTONIC 1
#define TIME_UTC 1
/* Names by which headers of the GNU C library know that a structure is defined. */
#define _STRUCT_TIMESPEC 1
#define __itimerspec_defined 1
#define __struct_tm_defined 1
struct timespec { time_t tv_sec; long tv_nsec; };
struct tm { int tm_sec, tm_min, tm_hour, tm_mday, tm_mon, tm_year, tm_wday, tm_yday, tm_isdst; };
extern time_t time(time_t *to);
extern clock_t clock(void);
extern double difftime(time_t a, time_t b);
extern int clock_gettime(clockid_t clock, struct timespec *to);
extern int timespec_get(struct timespec *to, int base);
extern int nanosleep(const struct timespec *duration, struct timespec *remaining);
#define CLOCK_PROCESS_CPUTIME_ID 2
#define CLOCK_THREAD_CPUTIME_ID 3
#define CLOCK_MONOTONIC_RAW 4
#define CLOCK_REALTIME_COARSE 5
#define CLOCK_MONOTONIC_COARSE 6
#define TIMER_ABSTIME 1
struct itimerspec { struct timespec it_interval, it_value; };
extern time_t mktime(struct tm *time);
extern struct tm *gmtime(const time_t *time);
extern struct tm *localtime(const time_t *time);
extern struct tm *gmtime_r(const time_t *time, struct tm *to);
extern struct tm *localtime_r(const time_t *time, struct tm *to);
extern char *asctime(const struct tm *time);
extern char *ctime(const time_t *time);
extern char *asctime_r(const struct tm *time, char *to);
extern char *ctime_r(const time_t *time, char *to);
extern size_t strftime(char *to, size_t size, const char *format, const struct tm *time);
extern int clock_getres(clockid_t clock, struct timespec *to);
extern int clock_settime(clockid_t clock, const struct timespec *from);
extern int clock_nanosleep(clockid_t clock, int flags, const struct timespec *duration, struct timespec *remaining);
#endif
