#ifndef __SELVEDGE_SYS_TYPES_H
#define __SELVEDGE_SYS_TYPES_H
#include <stddef.h>
#include <stdint.h>
typedef long ssize_t;
typedef long off_t;
typedef int pid_t;
typedef unsigned uid_t;
typedef unsigned gid_t;
typedef unsigned mode_t;
typedef unsigned long ino_t;
typedef unsigned long dev_t;
typedef unsigned long nlink_t;
typedef long time_t;
typedef long clock_t;
typedef int clockid_t;
typedef unsigned useconds_t;
typedef long suseconds_t;
typedef unsigned char u_char;
typedef unsigned short u_short;
typedef unsigned u_int;
typedef unsigned long u_long;
typedef unsigned short ushort;
typedef unsigned uint;
typedef unsigned long ulong;
typedef long blksize_t;
typedef long blkcnt_t;
typedef int id_t;
typedef int key_t;
typedef void *timer_t;
typedef char *caddr_t;
typedef uint8_t u_int8_t;
typedef uint16_t u_int16_t;
typedef uint32_t u_int32_t;
typedef uint64_t u_int64_t;
typedef int64_t loff_t;
typedef int64_t quad_t;
typedef uint64_t u_quad_t;

/* Those of <pthread.h>, which POSIX has here as well. */
typedef unsigned long pthread_t;
typedef unsigned int pthread_key_t;
typedef int pthread_once_t;
typedef volatile int pthread_spinlock_t;
typedef struct { int __words[5]; size_t __sizes[4]; } pthread_attr_t;
typedef struct { int __kind; } pthread_mutexattr_t;
/* As the GNU C library lays it out; of the members, programs can only ask for the kind. */
#ifdef __SELVEDGE_ILP32__
struct __pthread_mutex_s {
  int __lock; unsigned __count; int __owner; int __kind; unsigned __nusers; short __espins; short __eelision;
};
#else
struct __pthread_mutex_s {
  int __lock; unsigned __count; int __owner; unsigned __nusers; int __kind; short __spins; short __elision;
  struct { void *__prev; void *__next; } __list;
};
#endif
typedef struct { struct __pthread_mutex_s __data; } pthread_mutex_t;
typedef struct { int __clock; } pthread_condattr_t;
typedef struct { int __signals; } pthread_cond_t;
typedef struct { int __shared; } pthread_rwlockattr_t;
typedef struct { int __holders; } pthread_rwlock_t;
typedef struct { int __shared; } pthread_barrierattr_t;
typedef struct { unsigned __needed; unsigned __arrived; unsigned __phase; } pthread_barrier_t;
#endif
