/* C11 threads (7.26). */
#ifndef __SELVEDGE_THREADS_H
#define __SELVEDGE_THREADS_H
#include <time.h>
#define thread_local _Thread_local
typedef unsigned long thrd_t;
typedef struct { int __kind; int __owner; int __count; } mtx_t;
typedef struct { int __signals; } cnd_t;
typedef unsigned tss_t;
typedef int once_flag;
typedef int (*thrd_start_t)(void *);
typedef void (*tss_dtor_t)(void *);
enum { mtx_plain = 0, mtx_recursive = 1, mtx_timed = 2 };
enum { thrd_success = 0, thrd_busy = 1, thrd_error = 2, thrd_nomem = 3, thrd_timedout = 4 };
#define ONCE_FLAG_INIT 0
extern int thrd_create(thrd_t *thread, thrd_start_t start, void *arg);
extern int thrd_join(thrd_t thread, int *result);
extern int thrd_detach(thrd_t thread);
extern _Noreturn void thrd_exit(int result);
extern thrd_t thrd_current(void);
extern int thrd_equal(thrd_t a, thrd_t b);
extern void thrd_yield(void);
extern int thrd_sleep(const struct timespec *duration, struct timespec *remaining);
extern int mtx_init(mtx_t *mutex, int kind);
extern void mtx_destroy(mtx_t *mutex);
extern int mtx_lock(mtx_t *mutex);
extern int mtx_trylock(mtx_t *mutex);
extern int mtx_timedlock(mtx_t *mutex, const struct timespec *until);
extern int mtx_unlock(mtx_t *mutex);
extern int cnd_init(cnd_t *cond);
extern void cnd_destroy(cnd_t *cond);
extern int cnd_wait(cnd_t *cond, mtx_t *mutex);
extern int cnd_timedwait(cnd_t *cond, mtx_t *mutex, const struct timespec *until);
extern int cnd_signal(cnd_t *cond);
extern int cnd_broadcast(cnd_t *cond);
extern void call_once(once_flag *flag, void (*routine)(void));
extern int tss_create(tss_t *key, tss_dtor_t destructor);
extern void tss_delete(tss_t key);
extern void *tss_get(tss_t key);
extern int tss_set(tss_t key, void *value);
#define TSS_DTOR_ITERATIONS 4
#endif
