/* POSIX threads (IEEE 1003.1). The state of mutexes lives beside the memory; other objects hold theirs. */
#ifndef __SELVEDGE_PTHREAD_H
#define __SELVEDGE_PTHREAD_H
#include <sched.h>
#include <stddef.h>
#include <sys/types.h>
#include <time.h>

#define PTHREAD_CREATE_JOINABLE 0
#define PTHREAD_CREATE_DETACHED 1
#define PTHREAD_MUTEX_NORMAL 0
#define PTHREAD_MUTEX_RECURSIVE 1
#define PTHREAD_MUTEX_ERRORCHECK 2
#define PTHREAD_MUTEX_DEFAULT PTHREAD_MUTEX_NORMAL
#define PTHREAD_MUTEX_FAST_NP PTHREAD_MUTEX_NORMAL
#define PTHREAD_MUTEX_TIMED_NP PTHREAD_MUTEX_NORMAL
#define PTHREAD_MUTEX_RECURSIVE_NP PTHREAD_MUTEX_RECURSIVE
#define PTHREAD_MUTEX_ERRORCHECK_NP PTHREAD_MUTEX_ERRORCHECK
#define PTHREAD_MUTEX_STALLED 0
#define PTHREAD_MUTEX_ROBUST 1
#define PTHREAD_PRIO_NONE 0
#define PTHREAD_PRIO_INHERIT 1
#define PTHREAD_PRIO_PROTECT 2
#define PTHREAD_PROCESS_PRIVATE 0
#define PTHREAD_PROCESS_SHARED 1
#define PTHREAD_SCOPE_SYSTEM 0
#define PTHREAD_SCOPE_PROCESS 1
#define PTHREAD_INHERIT_SCHED 0
#define PTHREAD_EXPLICIT_SCHED 1
#define PTHREAD_CANCEL_ENABLE 0
#define PTHREAD_CANCEL_DISABLE 1
#define PTHREAD_CANCEL_DEFERRED 0
#define PTHREAD_CANCEL_ASYNCHRONOUS 1
#define PTHREAD_CANCELED ((void *)-1)
#define PTHREAD_BARRIER_SERIAL_THREAD (-1)
#define PTHREAD_ONCE_INIT 0
#define PTHREAD_MUTEX_INITIALIZER { { .__kind = PTHREAD_MUTEX_NORMAL } }
#define PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP { { .__kind = PTHREAD_MUTEX_RECURSIVE } }
#define PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP { { .__kind = PTHREAD_MUTEX_ERRORCHECK } }
#define PTHREAD_COND_INITIALIZER { 0 }
#define PTHREAD_RWLOCK_INITIALIZER { 0 }
#define PTHREAD_RWLOCK_WRITER_NONRECURSIVE_INITIALIZER_NP { 0 }
#define PTHREAD_MUTEX_STALLED_NP PTHREAD_MUTEX_STALLED
#define PTHREAD_MUTEX_ROBUST_NP PTHREAD_MUTEX_ROBUST

extern int pthread_create(pthread_t *thread, const pthread_attr_t *attr, void *(*start)(void *), void *arg);
extern int pthread_join(pthread_t thread, void **result);
extern _Noreturn void pthread_exit(void *result);
extern int pthread_detach(pthread_t thread);
extern pthread_t pthread_self(void);
extern int pthread_equal(pthread_t a, pthread_t b);
extern int pthread_cancel(pthread_t thread);
extern void pthread_testcancel(void);
extern int pthread_setcancelstate(int state, int *old);
extern int pthread_setcanceltype(int type, int *old);
/* A handler is an object of the block that they open and close. */
struct __selvedge_cleanup { void (*__routine)(void *); void *__arg; struct __selvedge_cleanup *__next; };
extern void __selvedge_cleanup_push(struct __selvedge_cleanup *handler);
extern void __selvedge_cleanup_pop(struct __selvedge_cleanup *handler, int execute);
#define pthread_cleanup_push(routine, arg) \
  do { \
    struct __selvedge_cleanup __handler = { (routine), (arg), 0 }; \
    __selvedge_cleanup_push(&__handler);
#define pthread_cleanup_pop(execute) \
    __selvedge_cleanup_pop(&__handler, (execute)); \
  } while (0)
extern int pthread_once(pthread_once_t *once, void (*routine)(void));
extern int pthread_setconcurrency(int level);
extern int pthread_getconcurrency(void);
extern int pthread_yield(void);
extern int pthread_atfork(void (*prepare)(void), void (*parent)(void), void (*child)(void));
extern int pthread_kill(pthread_t thread, int signal);
extern int pthread_setname_np(pthread_t thread, const char *name);

extern int pthread_attr_init(pthread_attr_t *attr);
extern int pthread_attr_destroy(pthread_attr_t *attr);
extern int pthread_attr_setdetachstate(pthread_attr_t *attr, int state);
extern int pthread_attr_getdetachstate(const pthread_attr_t *attr, int *state);
extern int pthread_attr_setstacksize(pthread_attr_t *attr, size_t size);
extern int pthread_attr_getstacksize(const pthread_attr_t *attr, size_t *size);
extern int pthread_attr_setscope(pthread_attr_t *attr, int scope);
extern int pthread_attr_setschedpolicy(pthread_attr_t *attr, int policy);
extern int pthread_attr_setschedparam(pthread_attr_t *attr, const struct sched_param *param);
extern int pthread_attr_setinheritsched(pthread_attr_t *attr, int inherit);
extern int pthread_attr_setguardsize(pthread_attr_t *attr, size_t size);
extern int pthread_getattr_np(pthread_t thread, pthread_attr_t *attr);
extern int pthread_setschedparam(pthread_t thread, int policy, const struct sched_param *param);
extern int pthread_getschedparam(pthread_t thread, int *policy, struct sched_param *param);

extern int pthread_mutex_init(pthread_mutex_t *mutex, const pthread_mutexattr_t *attr);
extern int pthread_mutex_destroy(pthread_mutex_t *mutex);
extern int pthread_mutex_lock(pthread_mutex_t *mutex);
extern int pthread_mutex_trylock(pthread_mutex_t *mutex);
extern int pthread_mutex_timedlock(pthread_mutex_t *mutex, const struct timespec *until);
extern int pthread_mutex_unlock(pthread_mutex_t *mutex);
extern int pthread_mutexattr_init(pthread_mutexattr_t *attr);
extern int pthread_mutexattr_destroy(pthread_mutexattr_t *attr);
extern int pthread_mutexattr_settype(pthread_mutexattr_t *attr, int kind);
extern int pthread_mutexattr_gettype(const pthread_mutexattr_t *attr, int *kind);
extern int pthread_mutexattr_setpshared(pthread_mutexattr_t *attr, int shared);
extern int pthread_mutexattr_setprotocol(pthread_mutexattr_t *attr, int protocol);
extern int pthread_mutexattr_setprioceiling(pthread_mutexattr_t *attr, int ceiling);
extern int pthread_mutexattr_setrobust(pthread_mutexattr_t *attr, int robust);

extern int pthread_cond_init(pthread_cond_t *cond, const pthread_condattr_t *attr);
extern int pthread_cond_destroy(pthread_cond_t *cond);
extern int pthread_cond_wait(pthread_cond_t *cond, pthread_mutex_t *mutex);
extern int pthread_cond_timedwait(pthread_cond_t *cond, pthread_mutex_t *mutex, const struct timespec *until);
extern int pthread_cond_signal(pthread_cond_t *cond);
extern int pthread_cond_broadcast(pthread_cond_t *cond);
extern int pthread_condattr_init(pthread_condattr_t *attr);
extern int pthread_condattr_destroy(pthread_condattr_t *attr);
extern int pthread_condattr_setclock(pthread_condattr_t *attr, clockid_t clock);
extern int pthread_condattr_setpshared(pthread_condattr_t *attr, int shared);

extern int pthread_rwlock_init(pthread_rwlock_t *lock, const pthread_rwlockattr_t *attr);
extern int pthread_rwlock_destroy(pthread_rwlock_t *lock);
extern int pthread_rwlock_rdlock(pthread_rwlock_t *lock);
extern int pthread_rwlock_tryrdlock(pthread_rwlock_t *lock);
extern int pthread_rwlock_wrlock(pthread_rwlock_t *lock);
extern int pthread_rwlock_trywrlock(pthread_rwlock_t *lock);
extern int pthread_rwlock_unlock(pthread_rwlock_t *lock);

extern int pthread_barrier_init(pthread_barrier_t *barrier, const pthread_barrierattr_t *attr, unsigned count);
extern int pthread_barrier_destroy(pthread_barrier_t *barrier);
extern int pthread_barrier_wait(pthread_barrier_t *barrier);

extern int pthread_spin_init(pthread_spinlock_t *lock, int shared);
extern int pthread_spin_destroy(pthread_spinlock_t *lock);
extern int pthread_spin_lock(pthread_spinlock_t *lock);
extern int pthread_spin_trylock(pthread_spinlock_t *lock);
extern int pthread_spin_unlock(pthread_spinlock_t *lock);

extern int pthread_key_create(pthread_key_t *key, void (*destructor)(void *));
extern int pthread_key_delete(pthread_key_t key);
extern void *pthread_getspecific(pthread_key_t key);
extern int pthread_setspecific(pthread_key_t key, const void *value);
#define PTHREAD_MUTEX_ADAPTIVE_NP 3
#define PTHREAD_ADAPTIVE_MUTEX_INITIALIZER_NP PTHREAD_MUTEX_INITIALIZER
#define PTHREAD_RWLOCK_PREFER_READER_NP 0
#define PTHREAD_RWLOCK_PREFER_WRITER_NP 1
#define PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP 2
#define PTHREAD_RWLOCK_DEFAULT_NP PTHREAD_RWLOCK_PREFER_READER_NP
extern int pthread_attr_getscope(const pthread_attr_t *attr, int *scope);
extern int pthread_attr_getschedpolicy(const pthread_attr_t *attr, int *policy);
extern int pthread_attr_getschedparam(const pthread_attr_t *attr, struct sched_param *param);
extern int pthread_attr_getinheritsched(const pthread_attr_t *attr, int *inherit);
extern int pthread_attr_getguardsize(const pthread_attr_t *attr, size_t *size);
extern int pthread_attr_setstack(pthread_attr_t *attr, void *stack, size_t size);
extern int pthread_attr_getstack(const pthread_attr_t *attr, void **stack, size_t *size);
extern int pthread_attr_setaffinity_np(pthread_attr_t *attr, size_t size, const cpu_set_t *set);
extern int pthread_setaffinity_np(pthread_t thread, size_t size, const cpu_set_t *set);
extern int pthread_getaffinity_np(pthread_t thread, size_t size, cpu_set_t *set);
extern int pthread_getname_np(pthread_t thread, char *to, size_t size);
extern int pthread_setschedprio(pthread_t thread, int priority);
extern int pthread_getcpuclockid(pthread_t thread, clockid_t *clock);
extern int pthread_tryjoin_np(pthread_t thread, void **result);
extern int pthread_timedjoin_np(pthread_t thread, void **result, const struct timespec *until);
extern int pthread_mutex_consistent(pthread_mutex_t *mutex);
extern int pthread_mutex_getprioceiling(const pthread_mutex_t *mutex, int *ceiling);
extern int pthread_mutex_setprioceiling(pthread_mutex_t *mutex, int ceiling, int *old);
extern int pthread_mutexattr_getpshared(const pthread_mutexattr_t *attr, int *shared);
extern int pthread_mutexattr_getprotocol(const pthread_mutexattr_t *attr, int *protocol);
extern int pthread_mutexattr_getprioceiling(const pthread_mutexattr_t *attr, int *ceiling);
extern int pthread_mutexattr_getrobust(const pthread_mutexattr_t *attr, int *robust);
extern int pthread_condattr_getclock(const pthread_condattr_t *attr, clockid_t *clock);
extern int pthread_condattr_getpshared(const pthread_condattr_t *attr, int *shared);
extern int pthread_rwlock_timedrdlock(pthread_rwlock_t *lock, const struct timespec *until);
extern int pthread_rwlock_timedwrlock(pthread_rwlock_t *lock, const struct timespec *until);
extern int pthread_rwlockattr_init(pthread_rwlockattr_t *attr);
extern int pthread_rwlockattr_destroy(pthread_rwlockattr_t *attr);
extern int pthread_rwlockattr_setpshared(pthread_rwlockattr_t *attr, int shared);
extern int pthread_rwlockattr_getpshared(const pthread_rwlockattr_t *attr, int *shared);
extern int pthread_rwlockattr_setkind_np(pthread_rwlockattr_t *attr, int kind);
extern int pthread_barrierattr_init(pthread_barrierattr_t *attr);
extern int pthread_barrierattr_destroy(pthread_barrierattr_t *attr);
extern int pthread_barrierattr_setpshared(pthread_barrierattr_t *attr, int shared);
extern int pthread_barrierattr_getpshared(const pthread_barrierattr_t *attr, int *shared);
extern int pthread_clockjoin_np(pthread_t thread, void **result, clockid_t clock, const struct timespec *until);
extern int pthread_sigqueue(pthread_t thread, int signal, const void *value);
extern int pthread_attr_setstackaddr(pthread_attr_t *attr, void *stack);
extern int pthread_attr_getstackaddr(const pthread_attr_t *attr, void **stack);
extern int pthread_attr_getaffinity_np(const pthread_attr_t *attr, size_t size, cpu_set_t *set);
extern int pthread_mutex_clocklock(pthread_mutex_t *mutex, clockid_t clock, const struct timespec *until);
extern int pthread_mutex_consistent_np(pthread_mutex_t *mutex);
extern int pthread_mutexattr_setkind_np(pthread_mutexattr_t *attr, int kind);
extern int pthread_mutexattr_getkind_np(const pthread_mutexattr_t *attr, int *kind);
extern int pthread_mutexattr_setrobust_np(pthread_mutexattr_t *attr, int robust);
extern int pthread_mutexattr_getrobust_np(const pthread_mutexattr_t *attr, int *robust);
extern int pthread_cond_clockwait(pthread_cond_t *cond, pthread_mutex_t *mutex, clockid_t clock, const struct timespec *until);
extern int pthread_rwlock_clockrdlock(pthread_rwlock_t *lock, clockid_t clock, const struct timespec *until);
extern int pthread_rwlock_clockwrlock(pthread_rwlock_t *lock, clockid_t clock, const struct timespec *until);
extern int pthread_rwlockattr_getkind_np(const pthread_rwlockattr_t *attr, int *kind);
#endif
