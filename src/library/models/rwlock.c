/* Read-write locks (IEEE 1003.1): the first word is the number of readers, or names the writer. An operation that
 * cannot proceed has not run: its section as a whole waits. */
enum { WRITER = 0x40000000 };

int pthread_rwlock_init(int *lock, const void *attribute) {
  *lock = 0;
  return 0;
}

int pthread_rwlock_destroy(int *lock) { return 0; }

/* `busy` is what the operation returns that does not wait (or no longer), otherwise 0. */
static int __selvedge_rwlock_take(int *lock, int writes, int busy) {
  int result = 0, me = WRITER + __selvedge_me();
  __selvedge_begin();
  int state = *lock;
  if (state == me && busy != EBUSY)
    result = EDEADLK;
  else if (writes && FAULT(WRITER_BESIDE_READERS, state < WRITER, state == 0))
    *lock = me;
  else if (!writes && FAULT(ONE_READER, state == 0, state < WRITER))
    *lock = state + 1;
  FAULT(READER_BESIDE_WRITER, else if (!writes);, )
  else if (busy)
    result = busy;
  else
    __selvedge_wait(0);
  __VERIFIER_atomic_end();
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
  __selvedge_defined_unlock(state < WRITER ? state > 0 : state == WRITER + __selvedge_me());
  *lock = FAULT(READERS_FORGOTTEN, 0, state < WRITER ? state - 1 : 0);
  __VERIFIER_atomic_end();
  return 0;
}

/* Whether nobody holds it, for the check of misuse. */
int __selvedge_rwlock_idle(int *lock) { return __atomic_load_n(lock, 0) == 0; }
