/* POSIX semaphores. */
#ifndef __SELVEDGE_SEMAPHORE_H
#define __SELVEDGE_SEMAPHORE_H
#include <sys/types.h>
#include <time.h>
typedef struct { int __value; } sem_t;
#define SEM_FAILED ((sem_t *)0)
#define SEM_VALUE_MAX 2147483647
extern int sem_init(sem_t *sem, int shared, unsigned value);
extern int sem_destroy(sem_t *sem);
extern int sem_wait(sem_t *sem);
extern int sem_trywait(sem_t *sem);
extern int sem_timedwait(sem_t *sem, const struct timespec *until);
extern int sem_clockwait(sem_t *sem, clockid_t clock, const struct timespec *until);
extern int sem_post(sem_t *sem);
extern int sem_getvalue(sem_t *sem, int *value);
extern sem_t *sem_open(const char *name, int flags, ...);
extern int sem_close(sem_t *sem);
extern int sem_unlink(const char *name);
#endif
