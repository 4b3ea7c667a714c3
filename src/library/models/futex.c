/* System calls by which threads wait for words (Linux, futex(2)), and the numbers of threads.
 *
 * The kernel keeps no note on the word: a waiter is known by the address that it waits at. So nothing touches a word whose waiter was
 * woken, and which may be gone. A waiter leaves the queue when it is woken, or by itself: for no cause, as the manual tells callers
 * to expect, or because time is up. Whether one without a time limit does so is chosen before, so that one that does not stands at
 * its wait. Who leaves restores what was there, so that an iteration that leaves for no cause changes nothing.
 *
 * Where nobody asks who waits (`library/futex.rs`), there is no queue: a wait compares and goes on at any time. */
enum { FUTEX_WAIT = 0, FUTEX_WAKE = 1, FUTEX_CMP_REQUEUE = 4, FUTEX_WAIT_BITSET = 9, FUTEX_WAKE_BITSET = 10,
       FUTEX_FLAGS = 128 | 256 };
extern int __selvedge_queues(void);
extern int **__selvedge_queue(void);
/* Waits for ever, or not if the argument says so, where it is asked what threads that do so hold. */
extern void __selvedge_stays_unless(int leaves);
extern int *__selvedge_tids(void);
extern void __selvedge_unknown_futex(void);
extern _Bool __VERIFIER_nondet_bool(void);

#define THREADS_4(what, thread) what(thread) what(thread + 1) what(thread + 2) what(thread + 3)
#define THREADS_16(what, thread) THREADS_4(what, thread) THREADS_4(what, thread + 4) THREADS_4(what, thread + 8) THREADS_4(what, thread + 12)
#define EACH_THREAD(what) THREADS_16(what, 0) THREADS_16(what, 16)

static long __selvedge_futex_wait(int *word, int value, const void *limit) {
  unsigned long me = __selvedge_thread();
  int wakes = limit != 0 || __VERIFIER_nondet_bool(), differs, left = 1, *nowhere = 0;
  if (__selvedge_queues() && me >= THREADS)
    __selvedge_too_many_threads();
  /* A section that only reads orders nothing. */
  NO_DEADLOCKS(__atomic_thread_fence(5);)
  __selvedge_begin();
  differs = FAULT(FUTEX_UNCOMPARED, 0, *word != value);
  if (__selvedge_queues() && !differs) {
    nowhere = __selvedge_queue()[me];
    __selvedge_queue()[me] = word;
  }
  __VERIFIER_atomic_end();
  if (differs) {
    *__errno_location() = EAGAIN;
    return -1;
  }
  if (__selvedge_queues()) {
    __selvedge_begin();
    left = __selvedge_queue()[me] != 0;
    if (left) {
      __selvedge_wait(wakes);
      __selvedge_queue()[me] = nowhere;
    }
    __VERIFIER_atomic_end();
  } else {
    __selvedge_stays_unless(wakes);
  }
  if (left && limit != 0 && __VERIFIER_nondet_bool()) {
    *__errno_location() = ETIMEDOUT;
    return -1;
  }
  return 0;
}

/* Wakes `most` waiters of a word, whichever they are, or all if there are fewer, and has up to `more` of those that are left wait at
 * `other`. */
#define WAKE_WAITER(thread) \
  if (__selvedge_queue()[thread] == word) { \
    if (woken < most && __VERIFIER_nondet_bool()) { \
      __selvedge_queue()[thread] = 0; \
      woken++; \
    } else if (moved < more && __VERIFIER_nondet_bool()) { \
      __selvedge_queue()[thread] = other; \
      moved++; \
    } else { \
      left = 1; \
    } \
  }
static long __selvedge_futex_wake(int *word, int most, int more, int *other) {
  int woken = 0, moved = 0, left = 0;
  NO_DEADLOCKS(__atomic_thread_fence(5);)
  if (!__selvedge_queues())
    return 0;
  EACH_THREAD(WAKE_WAITER)
  __VERIFIER_assume(woken == most || (!moved && !left));
  __VERIFIER_assume(moved >= more || !left);
  return woken + moved;
}

/* What `syscall` returns for the operation `op`; the last three arguments mean what it says. */
long __selvedge_futex(int *word, int op, int value, const void *limit, int *other, int last) {
  long result = -1;
  int error = 0;
  switch (op & ~FUTEX_FLAGS) {
  case FUTEX_WAIT_BITSET:
    if (last != -1)
      __selvedge_unknown_futex();
  case FUTEX_WAIT:
    return __selvedge_futex_wait(word, value, limit);
  case FUTEX_WAKE_BITSET:
    if (last != -1)
      __selvedge_unknown_futex();
  case FUTEX_WAKE:
    __selvedge_begin();
    /* The kernel counts first and compares then. */
    result = __selvedge_futex_wake(word, FAULT(FUTEX_WAKES_ONE, 1, value > 0 ? value : 1), 0, (int *)0);
    __VERIFIER_atomic_end();
    return result;
  case FUTEX_CMP_REQUEUE:
    __selvedge_begin();
    if (value < 0 || (int)(long)limit < 0)
      error = EINVAL;
    else if (*word != last)
      error = EAGAIN;
    else
      result = __selvedge_futex_wake(word, value, (int)(long)limit, other);
    __VERIFIER_atomic_end();
    if (error)
      *__errno_location() = error;
    return result;
  default:
    __selvedge_unknown_futex();
    return -1;
  }
}

/* Any number, another one for each thread, and always the same. */
#define OTHER_TID(thread) __VERIFIER_assume(me == (thread) || __selvedge_tids()[thread] != number);
int gettid(void) {
  unsigned long me = __selvedge_thread();
  if (me >= THREADS)
    __selvedge_too_many_threads();
  __selvedge_begin();
  int number = __selvedge_tids()[me];
  if (!number) {
    number = __VERIFIER_nondet_int();
    __VERIFIER_assume(number > 0);
    FAULT(TIDS_SAME, , EACH_THREAD(OTHER_TID))
    __selvedge_tids()[me] = number;
  }
  __VERIFIER_atomic_end();
  return number;
}
