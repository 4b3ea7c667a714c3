/* Waiting for many descriptors (Linux); not modelled. */
#ifndef __SELVEDGE_SYS_EPOLL_H
#define __SELVEDGE_SYS_EPOLL_H
#include <signal.h>
#include <stdint.h>
#define EPOLL_CLOEXEC 02000000
#define EPOLL_CTL_ADD 1
#define EPOLL_CTL_DEL 2
#define EPOLL_CTL_MOD 3
#define EPOLLIN 0x001
#define EPOLLPRI 0x002
#define EPOLLOUT 0x004
#define EPOLLERR 0x008
#define EPOLLHUP 0x010
#define EPOLLRDHUP 0x2000
#define EPOLLEXCLUSIVE (1u << 28)
#define EPOLLWAKEUP (1u << 29)
#define EPOLLONESHOT (1u << 30)
#define EPOLLET (1u << 31)
typedef union epoll_data { void *ptr; int fd; uint32_t u32; uint64_t u64; } epoll_data_t;
#ifdef __SELVEDGE_ILP32__
struct epoll_event { uint32_t events; epoll_data_t data; };
#else
struct epoll_event { uint32_t events; epoll_data_t data; } __attribute__((packed));
#endif
extern int epoll_create(int size);
extern int epoll_create1(int flags);
extern int epoll_ctl(int set, int operation, int fd, struct epoll_event *event);
extern int epoll_wait(int set, struct epoll_event *events, int most, int milliseconds);
extern int epoll_pwait(int set, struct epoll_event *events, int most, int milliseconds, const sigset_t *mask);
#endif
