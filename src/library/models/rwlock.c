/* Read-write locks (IEEE 1003.1): the first word is the number of readers, or names the writer. An operation that
 * cannot proceed has not run: its section as a whole waits.
 *
 * Readers come first, as in the C library by default, or writers, if that may be: then all locks are of one sort or all of the
 * other (PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP). A writer that waits says so in a step of its own, and while one does, nobody
 * becomes a reader, not even who is one. It holds the lock's second byte meanwhile, which those readers wait for. */
enum { WRITER = 0x40000000 }; /* `ir::ALONE` */

extern int *__selvedge_writers_first(void);

int pthread_rwlock_init(int *lock, const void *attribute) {
  *lock = 0;
  DEADLOCKS(__selvedge_set_holds(lock, 0);)
  return 0;
}

int pthread_rwlock_destroy(int *lock) { return 0; }

/* A writer that has said that it waits takes the lock, or no longer waits. */
static int __selvedge_rwlock_await(int *lock, int busy) {
  int result = 0;
  __selvedge_begin();
  if (*lock == 0) {
    *lock = WRITER + __selvedge_me();
    DEADLOCKS(__selvedge_set_holds(lock, WRITER);)
  } else if (busy) {
    result = busy;
  } else {
    NO_DEADLOCKS(__selvedge_wait(0);)
    DEADLOCKS(__selvedge_wait_for(0, lock);)
  }
  __selvedge_set_waiters(lock, __selvedge_waiters(lock) - 1);
  DEADLOCKS(__selvedge_set_holds((char *)lock + 1, 0);)
  __VERIFIER_atomic_end();
  return result;
}

/* `busy` is what the operation returns that does not wait (or no longer), otherwise 0. */
static int __selvedge_rwlock_take(int *lock, int writes, int busy) {
  int result = 0, me = WRITER + __selvedge_me();
  WRITERS_FIRST(int waits = 0;)
  __selvedge_begin();
  int state = *lock;
  WRITERS_FIRST(int closed = *__selvedge_writers_first() && __selvedge_waiters(lock) > 0;)
  if (state == me && busy != EBUSY) {
    result = EDEADLK;
  } else if (writes && FAULT(WRITER_BESIDE_READERS, state < WRITER, state == 0)) {
    *lock = me;
    DEADLOCKS(__selvedge_set_holds(lock, WRITER);)
  } else if (!writes && FAULT(ONE_READER, state == 0, state < WRITER) WRITERS_FIRST(FAULT(WRITER_PASSED, , &&!closed))) {
    *lock = state + 1;
    DEADLOCKS(__selvedge_set_holds(lock, __selvedge_holds(lock) + 1);)
  }
  FAULT(READER_BESIDE_WRITER, else if (!writes);, )
  WRITERS_FIRST(else if (writes && busy != EBUSY) {
    waits = 1;
    __selvedge_set_waiters(lock, __selvedge_waiters(lock) + 1);
    DEADLOCKS(__selvedge_set_holds((char *)lock + 1, 1);)
  })
  else if (busy)
    result = busy;
  else {
    NO_DEADLOCKS(__selvedge_wait(0);)
    DEADLOCKS(
      if (writes)
        __selvedge_wait_for(0, lock);
      else WRITERS_FIRST(if (state < WRITER)
        __selvedge_wait_for(0, (char *)lock + 1);
      else)
        __selvedge_wait_to_share(0, lock);)
  }
  __VERIFIER_atomic_end();
  WRITERS_FIRST(if (waits) result = __selvedge_rwlock_await(lock, busy);)
  return result;
}

int pthread_rwlock_rdlock(int *lock) { return __selvedge_rwlock_take(lock, 0, 0); }
int pthread_rwlock_wrlock(int *lock) { return __selvedge_rwlock_take(lock, 1, 0); }
int pthread_rwlock_tryrdlock(int *lock) { return __selvedge_rwlock_take(lock, 0, EBUSY); }
int pthread_rwlock_trywrlock(int *lock) {
  return FAULT(TRY_WRITE_SUCCEEDS, 0, __selvedge_rwlock_take(lock, 1, EBUSY));
}
int pthread_rwlock_timedrdlock(int *lock, const void *until) { return __selvedge_rwlock_take(lock, 0, ETIMEDOUT); }
int pthread_rwlock_timedwrlock(int *lock, const void *until) { return __selvedge_rwlock_take(lock, 1, ETIMEDOUT); }
int pthread_rwlock_clockrdlock(int *lock, int clock, const void *until) {
  return __selvedge_rwlock_take(lock, 0, ETIMEDOUT);
}
int pthread_rwlock_clockwrlock(int *lock, int clock, const void *until) {
  return __selvedge_rwlock_take(lock, 1, ETIMEDOUT);
}

extern void __selvedge_defined_unlock(int is_held);

int pthread_rwlock_unlock(int *lock) {
  __selvedge_begin();
  int state = *lock;
  NO_DEADLOCKS(__selvedge_defined_unlock(state < WRITER ? state > 0 : state == WRITER + __selvedge_me());)
  DEADLOCKS(
    int times = __selvedge_holds(lock);
    __selvedge_defined_unlock(times);
    __selvedge_set_holds(lock, times < WRITER ? times - 1 : 0);)
  *lock = FAULT(READERS_FORGOTTEN, 0, state < WRITER ? state - 1 : 0);
  __VERIFIER_atomic_end();
  return 0;
}

/* Whether nobody holds it, for the check of misuse. */
int __selvedge_rwlock_idle(int *lock) { return __atomic_load_n(lock, 0) == 0; }
