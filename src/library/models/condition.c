/* Who is blocked on a condition variable (IEEE 1003.1).
 *
 * For the check of misuse: the object's note `waiters` has a bit for
 * each thread, and a word of the library says for each thread whether it still is. Who was woken does not touch the object
 * any more, which may be gone: it is defined to destroy a condition variable as soon as all were woken. While threads are
 * blocked, its note `number` is that of the mutex that they wait with. */
extern int *__selvedge_blocked(void);
extern int *__selvedge_numbers(void);
extern int __selvedge_mutex_number(void *object);
extern void __selvedge_set_mutex_number(void *object, int number);

int __selvedge_number_of(void *mutex) {
  __selvedge_begin();
  int number = __selvedge_mutex_number(mutex);
  if (!number) {
    number = ++*__selvedge_numbers();
    __selvedge_set_mutex_number(mutex, number);
  }
  __VERIFIER_atomic_end();
  return number;
}

/* The running thread blocks; whether others that do wait with the same mutex. */
int __selvedge_blocks(void *condition, int number) {
  unsigned long me = __selvedge_thread();
  if (me >= THREADS)
    __selvedge_too_many_threads();
  __selvedge_begin();
  int waiters = __selvedge_waiters(condition), is_same = 1;
  if (number) {
    is_same = !waiters || __selvedge_mutex_number(condition) == number;
    __selvedge_set_mutex_number(condition, number);
  }
  __selvedge_set_waiters(condition, waiters | 1 << me);
  __selvedge_blocked()[me] = 1;
  __VERIFIER_atomic_end();
  return is_same;
}

/* It wakes, for whatever reason. */
int __selvedge_unblocks(void *condition) {
  unsigned long me = __selvedge_thread();
  __selvedge_begin();
  if (__selvedge_blocked()[me]) {
    __selvedge_blocked()[me] = 0;
    __selvedge_set_waiters(condition, __selvedge_waiters(condition) & ~(1 << me));
  }
  __VERIFIER_atomic_end();
  return 0;
}

#define WAKE(thread) if (woken >> (thread) & 1) __selvedge_blocked()[thread] = 0;
#define WAKE_4(thread) WAKE(thread) WAKE(thread + 1) WAKE(thread + 2) WAKE(thread + 3)
#define WAKE_16(thread) WAKE_4(thread) WAKE_4(thread + 4) WAKE_4(thread + 8) WAKE_4(thread + 12)

static void __selvedge_wake(unsigned woken) { WAKE_16(0) WAKE_16(16) }

int __selvedge_wake_one(void *condition) {
  __selvedge_begin();
  int waiters = __selvedge_waiters(condition);
  if (waiters) {
    int one = __VERIFIER_nondet_int() & waiters;
    __VERIFIER_assume(one != 0 && (one & (one - 1U)) == 0);
    __selvedge_set_waiters(condition, waiters & ~one);
    __selvedge_wake((unsigned)one);
  }
  __VERIFIER_atomic_end();
  return 0;
}

int __selvedge_wake_all(void *condition) {
  __selvedge_begin();
  int waiters = __selvedge_waiters(condition);
  if (waiters) {
    __selvedge_set_waiters(condition, 0);
    __selvedge_wake((unsigned)waiters);
  }
  __VERIFIER_atomic_end();
  return 0;
}

/* Where deadlocks are asked for: a thread that waits is among the waiters from before it unlocks the mutex until a signal or a
 * broadcast takes it out, which is all that it waits for, or until it leaves by itself, for no cause, because time is up, or
 * because it is cancelled. Whether it may do so is chosen before (`wakes`), so that one that does not stands at its wait.
 *
 * A signal between the two steps is one behind both: it touches nothing but the waiters, and unlocking touches nothing but the mutex,
 * so that they commute. (POSIX asks no more: a thread that takes the mutex after it was released finds the waiter blocked.)
 *
 * Joining and leaving write the same note, as `w | bit` and then `w & ~bit`: unless somebody has signalled meanwhile, the second
 * restores what the first has found, and an iteration of `while (...) pthread_cond_wait(...)` that wakes for no cause changes nothing.
 *
 * Who was woken may find the condition gone. Where that may be, a signal says whom it wakes in a note of the library, too, and a
 * thread that wakes looks there first. No step here orders anything, as notes are no memory. */
extern int __selvedge_conditions_last(void);
extern void *__selvedge_woken(void);
extern _Bool __VERIFIER_nondet_bool(void);

int __selvedge_condition_join(void *condition) {
  unsigned long me = __selvedge_thread();
  if (me >= THREADS)
    __selvedge_too_many_threads();
  __selvedge_begin();
  __selvedge_set_waiters(condition, __selvedge_waiters(condition) | 1 << me);
  __VERIFIER_atomic_end();
  return 0;
}

/* Whether it has left by itself: only then may it end because it is cancelled, as it would take a signal with it otherwise. */
int __selvedge_condition_leave(void *condition, int wakes) {
  int me = 1 << __selvedge_thread(), left = 0;
  __selvedge_begin();
  int woken = __selvedge_conditions_last() ? 0 : __selvedge_waiters(__selvedge_woken());
  if (woken & me) {
    __selvedge_set_waiters(__selvedge_woken(), woken & ~me);
  } else {
    int waiters = __selvedge_waiters(condition);
    if (waiters & me) {
      __selvedge_wait(wakes || __selvedge_is_cancelled());
      __selvedge_set_waiters(condition, waiters & ~me);
      left = 1;
    }
  }
  __VERIFIER_atomic_end();
  return left;
}

static void __selvedge_condition_wake(void *condition, int waiters, int woken) {
  __selvedge_set_waiters(condition, waiters & ~woken);
  if (!__selvedge_conditions_last())
    __selvedge_set_waiters(__selvedge_woken(), __selvedge_waiters(__selvedge_woken()) | woken);
}

/* The number of a thread, bit by bit: a choice of so many values and no more. */
static int __selvedge_any_thread(void) {
  _Static_assert(THREADS == 32, "five bits are a thread");
  int low = __VERIFIER_nondet_bool() | __VERIFIER_nondet_bool() << 1;
  int high = __VERIFIER_nondet_bool() | __VERIFIER_nondet_bool() << 1 | __VERIFIER_nondet_bool() << 2;
  return low | high << 2;
}

int __selvedge_condition_signal(void *condition) {
  __selvedge_begin();
  int waiters = __selvedge_waiters(condition);
  if (waiters) {
    int one = waiters & 1 << __selvedge_any_thread();
    __VERIFIER_assume(one != 0);
    __selvedge_condition_wake(condition, waiters, FAULT(SIGNAL_LOST, 0, one));
  }
  __VERIFIER_atomic_end();
  return 0;
}

int __selvedge_condition_broadcast(void *condition) {
  __selvedge_begin();
  int waiters = __selvedge_waiters(condition);
  if (waiters)
    __selvedge_condition_wake(condition, waiters, FAULT(BROADCAST_ONE, waiters & -waiters, waiters));
  __VERIFIER_atomic_end();
  return 0;
}
