/* Date and time (C11 7.27, POSIX). */
#ifndef __SELVEDGE_TIME_H
#define __SELVEDGE_TIME_H
#include <stddef.h>
#include <sys/types.h>
#define CLOCKS_PER_SEC 1000000L
#define CLOCK_REALTIME 0
#define CLOCK_MONOTONIC 1
#define TIME_UTC 1
struct timespec { time_t tv_sec; long tv_nsec; };
struct tm { int tm_sec, tm_min, tm_hour, tm_mday, tm_mon, tm_year, tm_wday, tm_yday, tm_isdst; };
extern time_t time(time_t *to);
extern clock_t clock(void);
extern double difftime(time_t a, time_t b);
extern int clock_gettime(clockid_t clock, struct timespec *to);
extern int timespec_get(struct timespec *to, int base);
extern int nanosleep(const struct timespec *duration, struct timespec *remaining);
#endif
