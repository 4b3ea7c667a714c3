/* Enforces a schedule: one thread runs at a time, and hands over where the schedule says so.
 *
 * schedule.h has the turns: whose each is, and at which point of the program's text (selvedge_point) it ends. Once all turns are over,
 * those threads go on that the schedule releases: both threads of a data race, or those that are blocked for ever. All others stay where
 * they are. This file is compiled without instrumentation, so that ThreadSanitizer sees the program's own synchronisation only. */
#define _GNU_SOURCE
#include "schedule.h"
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <linux/futex.h>
#include <unistd.h>

enum { TURNS = sizeof turns / sizeof *turns };

long __real_syscall(long, ...);

static int turn;                            /* index of the turn that it is */
static int creations;                       /* threads that were created so far */
static int gone;                            /* released threads that have ended */
static long arrivals[SELVEDGE_THREADS][SELVEDGE_POINTS + 2];
static pthread_mutex_t section;             /* of __VERIFIER_atomic_begin */
static __thread int me = -1;                /* number of the thread; -1 is one that the schedule does not know */

static int now(void) { return __atomic_load_n(&turn, __ATOMIC_ACQUIRE); }

static int is_released(int thread) {
  for (unsigned i = 0; i < sizeof released / sizeof *released; i++)
    if (released[i] == thread) return 1;
  return 0;
}

static int may_go(void) {
  int at = now();
  return at < TURNS ? turns[at].thread == me : is_released(me);
}

static void say(const char *text) {
  /* (`write` may be a function whose results are supplied.) */
  if (__real_syscall(SYS_write, 2, text, strlen(text)) < 0) _exit(3);
}

/* (A mutex or a condition would be seen by ThreadSanitizer.) */
static void wait_for_turn(void) {
  for (;;) {
    int at = now();
    if (may_go()) return;
    __real_syscall(SYS_futex, &turn, FUTEX_WAIT, at, 0, 0, 0);
  }
}

#if SELVEDGE_WATCH
static void *watch(void *arg) {
  (void)arg;
  for (int i = 0; i < 10; i++) {
    usleep(100000);
    if (__atomic_load_n(&gone, __ATOMIC_ACQUIRE)) {
      say("selvedge: a thread that should be blocked has ended\n");
      _exit(3);
    }
  }
  say("selvedge: blocked for ever\n");
  if (getenv("SELVEDGE_CHECK")) _exit(10);
  return 0;
}
#endif

int __real_pthread_create(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);

static void next_turn(void) {
  __atomic_store_n(&turn, now() + 1, __ATOMIC_RELEASE);
  __real_syscall(SYS_futex, &turn, FUTEX_WAKE, 0x7fffffff, 0, 0, 0);
#if SELVEDGE_WATCH
  if (now() == TURNS) {
    pthread_t watcher;
    if (__real_pthread_create(&watcher, 0, watch, 0) == 0) pthread_detach(watcher);
  }
#endif
}

/* The thread is about to do something before which its turn may end. */
void selvedge_point(int point) {
  int at = now();
  if (me < 0 || at >= TURNS) return;
  long count = ++arrivals[me][point];
  if (turns[at].point == point && turns[at].count == count) {
    next_turn();
    wait_for_turn();
  }
}

/* The thread makes no further step. */
static void leave(void) {
  int at = now();
  if (me < 0) return;
  if (at >= TURNS) {
    __atomic_add_fetch(&gone, 1, __ATOMIC_RELEASE);
  } else if (turns[at].point == SELVEDGE_GONE) {
    next_turn();
  } else {
    say("selvedge: a thread has ended although the schedule goes on with it\n");
    _exit(3);
  }
}

/* The thread returns, exits, or has been cancelled. */
static void end(void *unused) {
  (void)unused;
  selvedge_point(SELVEDGE_END);
  leave();
}

struct start {
  void *(*routine)(void *);
  int (*other)(void *);
  void *arg;
  int number;
};

static void *run(void *arg) {
  struct start start = *(struct start *)arg;
  free(arg);
  me = start.number;
  wait_for_turn();
  void *result;
  pthread_cleanup_push(end, 0);
  result = start.routine ? start.routine(start.arg) : (void *)(long)start.other(start.arg);
  pthread_cleanup_pop(1);
  return result;
}

/* Handles of threads that the schedule never lets run: there may be thousands, and they are not made. */
enum { FIRST_ABSENT = 1, LAST_ABSENT = 1 << 20 };

static int create(pthread_t *id, const pthread_attr_t *attr, struct start start) {
  int at = creations++;
  int number = at < (int)(sizeof created / sizeof *created) ? created[at] : -1;
  if (number < 0) {
    *id = (pthread_t)(FIRST_ABSENT + at % LAST_ABSENT);
    return 0;
  }
  struct start *own = malloc(sizeof *own);
  if (!own) _exit(3);
  start.number = number;
  *own = start;
  return __real_pthread_create(id, attr, run, own);
}

int __wrap_pthread_create(pthread_t *id, const pthread_attr_t *attr, void *(*routine)(void *), void *arg) {
  return create(id, attr, (struct start){routine, 0, arg, 0});
}

int __wrap_thrd_create(pthread_t *id, int (*routine)(void *), void *arg) {
  return create(id, 0, (struct start){0, routine, arg, 0}) ? 2 : 0;
}

int __real_pthread_detach(pthread_t);
int __wrap_pthread_detach(pthread_t id) {
  unsigned long number = (unsigned long)id;
  return number >= FIRST_ABSENT && number <= LAST_ABSENT ? 0 : __real_pthread_detach(id);
}

int __real_main(int, char **, char **);
int __wrap_main(int count, char **arguments, char **environment) {
  int status;
  pthread_cleanup_push(end, 0);
  status = __real_main(count, arguments, environment);
  pthread_cleanup_pop(0);
  selvedge_point(SELVEDGE_END);
  return status;
}

/* A wait for a condition is its release, and what comes after: a thread may wake up at any time. Where it has to be blocked for ever, it
 * really waits. */
int __real_pthread_cond_wait(pthread_cond_t *, pthread_mutex_t *);
int __wrap_pthread_cond_wait(pthread_cond_t *condition, pthread_mutex_t *mutex) {
  if (me < 0 || now() >= TURNS) return __real_pthread_cond_wait(condition, mutex);
  int error = pthread_mutex_unlock(mutex);
  if (error) return error;
  selvedge_point(SELVEDGE_WAITING);
  error = pthread_mutex_lock(mutex);
  pthread_testcancel();
  if (error || now() < TURNS) return error;
  return __real_pthread_cond_wait(condition, mutex);
}

int __wrap_cnd_wait(pthread_cond_t *condition, pthread_mutex_t *mutex) {
  return __wrap_pthread_cond_wait(condition, mutex);
}

/* What has a limit in time ends when the schedule says so: nobody waits for a clock. */
_Bool selvedge_timed_out(void);
static int timed_wait(pthread_cond_t *condition, pthread_mutex_t *mutex, int late) {
  int error = pthread_mutex_unlock(mutex);
  if (error) return error;
  selvedge_point(SELVEDGE_WAITING);
  error = pthread_mutex_lock(mutex);
  pthread_testcancel();
  return error ? error : selvedge_timed_out() ? late : 0;
}

int __wrap_pthread_cond_timedwait(pthread_cond_t *condition, pthread_mutex_t *mutex, const struct timespec *until) {
  return timed_wait(condition, mutex, ETIMEDOUT);
}
int __wrap_pthread_cond_clockwait(pthread_cond_t *condition, pthread_mutex_t *mutex, clockid_t clock, const struct timespec *until) {
  return timed_wait(condition, mutex, ETIMEDOUT);
}
int __wrap_cnd_timedwait(pthread_cond_t *condition, pthread_mutex_t *mutex, const struct timespec *until) {
  return timed_wait(condition, mutex, 4);
}

static int late(int error, int busy, int timeout) { return error == busy ? timeout : error; }

int __wrap_pthread_mutex_timedlock(pthread_mutex_t *mutex, const struct timespec *until) {
  return late(pthread_mutex_trylock(mutex), EBUSY, ETIMEDOUT);
}
int __wrap_pthread_mutex_clocklock(pthread_mutex_t *mutex, clockid_t clock, const struct timespec *until) {
  return late(pthread_mutex_trylock(mutex), EBUSY, ETIMEDOUT);
}
int __wrap_mtx_timedlock(pthread_mutex_t *mutex, const struct timespec *until) {
  return pthread_mutex_trylock(mutex) ? 4 : 0;
}
int __wrap_pthread_rwlock_timedrdlock(pthread_rwlock_t *lock, const struct timespec *until) {
  return late(pthread_rwlock_tryrdlock(lock), EBUSY, ETIMEDOUT);
}
int __wrap_pthread_rwlock_timedwrlock(pthread_rwlock_t *lock, const struct timespec *until) {
  return late(pthread_rwlock_trywrlock(lock), EBUSY, ETIMEDOUT);
}
int __wrap_pthread_rwlock_clockrdlock(pthread_rwlock_t *lock, clockid_t clock, const struct timespec *until) {
  return late(pthread_rwlock_tryrdlock(lock), EBUSY, ETIMEDOUT);
}
int __wrap_pthread_rwlock_clockwrlock(pthread_rwlock_t *lock, clockid_t clock, const struct timespec *until) {
  return late(pthread_rwlock_trywrlock(lock), EBUSY, ETIMEDOUT);
}
int __wrap_pthread_timedjoin_np(pthread_t thread, void **result, const struct timespec *until) {
  return late(pthread_tryjoin_np(thread, result), EBUSY, ETIMEDOUT);
}
int __wrap_pthread_clockjoin_np(pthread_t thread, void **result, clockid_t clock, const struct timespec *until) {
  return late(pthread_tryjoin_np(thread, result), EBUSY, ETIMEDOUT);
}
static int late_semaphore(sem_t *semaphore) {
  int error = sem_trywait(semaphore);
  if (error && errno == EAGAIN) errno = ETIMEDOUT;
  return error;
}
int __wrap_sem_timedwait(sem_t *semaphore, const struct timespec *until) { return late_semaphore(semaphore); }
int __wrap_sem_clockwait(sem_t *semaphore, clockid_t clock, const struct timespec *until) { return late_semaphore(semaphore); }

/* Futexes: a wait is its comparison, and what comes after. */
long __wrap_syscall(long number, long a, long b, long c, long d, long e, long f) {
  int operation = b & ~(FUTEX_PRIVATE_FLAG | FUTEX_CLOCK_REALTIME);
  if (number != SYS_futex || me < 0 || now() >= TURNS) return __real_syscall(number, a, b, c, d, e, f);
  if (operation == FUTEX_WAIT || operation == FUTEX_WAIT_BITSET) {
    int differs = __atomic_load_n((int *)a, __ATOMIC_SEQ_CST) != (int)c;
    selvedge_point(SELVEDGE_WAITING);
    while (now() >= TURNS && !differs) pause();
    if (differs) errno = EAGAIN;
    return differs ? -1 : 0;
  }
  long result = __real_syscall(number, a, b, c, d, e, f);
  selvedge_point(SELVEDGE_WAITING);
  return result;
}

/* Barriers: who comes last goes on, and so do the others when it is their turn. */
static struct barrier {
  pthread_barrier_t *at;
  unsigned needed, arrived;
} barriers[64];

static struct barrier *barrier_at(pthread_barrier_t *at) {
  for (unsigned i = 0; i < 64; i++)
    if (barriers[i].at == at || !barriers[i].at) return &barriers[i];
  _exit(3);
}

int __real_pthread_barrier_init(pthread_barrier_t *, const pthread_barrierattr_t *, unsigned);
int __wrap_pthread_barrier_init(pthread_barrier_t *at, const pthread_barrierattr_t *attr, unsigned needed) {
  *barrier_at(at) = (struct barrier){at, needed, 0};
  return __real_pthread_barrier_init(at, attr, needed);
}

int __real_pthread_barrier_wait(pthread_barrier_t *);
int __wrap_pthread_barrier_wait(pthread_barrier_t *at) {
  struct barrier *barrier = barrier_at(at);
  if (me < 0 || now() >= TURNS || !barrier->at) return __real_pthread_barrier_wait(at);
  int is_last = ++barrier->arrived % barrier->needed == 0;
  selvedge_point(SELVEDGE_WAITING);
  while (now() >= TURNS && !is_last && barrier->arrived % barrier->needed != 0) pause();
  return is_last ? PTHREAD_BARRIER_SERIAL_THREAD : 0;
}

void __VERIFIER_atomic_begin(void) { pthread_mutex_lock(&section); }
void __VERIFIER_atomic_end(void) { pthread_mutex_unlock(&section); }

void __VERIFIER_assume(int condition) {
  if (condition) return;
  say("selvedge: an assumption is false\n");
  _exit(3);
}

void selvedge_reached(void) {
  say("selvedge: reach_error() is called\n");
  abort();
}

void __attribute__((weak)) reach_error(void) { selvedge_reached(); }
void __attribute__((weak)) __VERIFIER_error(void) { selvedge_reached(); }

void __assert_fail(const char *text, const char *file, unsigned line, const char *function) {
  fprintf(stderr, "%s:%u: %s: Assertion `%s' failed.\n", file, line, function ? function : "?", text);
  abort();
}

static void ended(void) {
  say("selvedge: the program has ended before the violation\n");
  _exit(3);
}

__attribute__((constructor)) static void begin(void) {
  pthread_mutexattr_t attr;
  pthread_mutexattr_init(&attr);
  pthread_mutexattr_settype(&attr, PTHREAD_MUTEX_RECURSIVE);
  pthread_mutex_init(&section, &attr);
  me = 0;
#if !SELVEDGE_AT_END
  atexit(ended);
#else
  (void)ended;
#endif
}
