/* Waiting for descriptors (POSIX). */
#ifndef __SELVEDGE_SYS_SELECT_H
#define __SELVEDGE_SYS_SELECT_H
#include <signal.h>
#include <sys/types.h>
#include <time.h>
#ifndef __SELVEDGE_TIMEVAL
#define __SELVEDGE_TIMEVAL
#define __timeval_defined 1
struct timeval { time_t tv_sec; suseconds_t tv_usec; };
#endif
#define FD_SETSIZE 1024
typedef struct { unsigned long __bits[FD_SETSIZE / (8 * sizeof(unsigned long))]; } fd_set;
extern int select(int count, fd_set *reading, fd_set *writing, fd_set *failing, struct timeval *limit);
extern int pselect(int count, fd_set *reading, fd_set *writing, fd_set *failing, const struct timespec *limit,
                   const sigset_t *mask);
extern void FD_CLR(int fd, fd_set *set);
extern int FD_ISSET(int fd, fd_set *set);
extern void FD_SET(int fd, fd_set *set);
extern void FD_ZERO(fd_set *set);
#endif
