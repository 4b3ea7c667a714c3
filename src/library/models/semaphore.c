/* Semaphores (IEEE 1003.1): the first word is the value. */
enum { MOST = 0x7fffffff };

static int __selvedge_failed(int error) {
  *__errno_location() = error;
  return -1;
}

int sem_init(int *semaphore, int shared, unsigned value) {
  if (value > MOST)
    return __selvedge_failed(EINVAL);
  *semaphore = (int)value;
  return 0;
}

int sem_destroy(int *semaphore) { return 0; }

/* Takes one, or returns `busy`, or waits. */
static int __selvedge_take(int *semaphore, int busy) {
  int result = 0;
  DEADLOCKS(int leaves = 0;)
  __selvedge_begin();
  int value = *semaphore;
  if (FAULT(SEMAPHORE_OPEN, 1, value > 0))
    FAULT(SEMAPHORE_NOT_TAKEN, , *semaphore = value - 1);
  else if (busy)
    result = busy;
  else {
    NO_DEADLOCKS(__selvedge_wait(0);)
    DEADLOCKS(
      leaves = __selvedge_is_cancelled();
      __selvedge_wait(leaves);)
  }
  __VERIFIER_atomic_end();
  DEADLOCKS(if (leaves) __selvedge_end_cancelled();)
  return result ? __selvedge_failed(result) : 0;
}

int sem_wait(int *semaphore) { return __selvedge_take(semaphore, 0); }
int sem_trywait(int *semaphore) {
  return FAULT(SEMAPHORE_TRY_UNTOLD, (__selvedge_take(semaphore, EAGAIN), 0), __selvedge_take(semaphore, EAGAIN));
}
/* Takes one or gives up, at any time: a try that comes late is a wait that lasted. */
int sem_timedwait(int *semaphore, const void *until) { return __selvedge_take(semaphore, ETIMEDOUT); }
int sem_clockwait(int *semaphore, int clock, const void *until) { return __selvedge_take(semaphore, ETIMEDOUT); }

int sem_post(int *semaphore) {
  int result = 0;
  __selvedge_begin();
  int value = *semaphore;
  if (value == MOST)
    result = EOVERFLOW;
  else
    *semaphore = FAULT(SEMAPHORE_BINARY, 1, value + 1);
  __VERIFIER_atomic_end();
  return result ? __selvedge_failed(result) : 0;
}

int sem_getvalue(int *semaphore, int *value) {
  __selvedge_give(value, __atomic_load_n(semaphore, 0));
  return 0;
}

/* Named ones: `name` is where the library keeps the semaphore that has the name, null without one. */
enum { CREATE = 0100, EXCLUSIVE = 0200 };

int *__selvedge_sem_open(int **name, int flags, unsigned value) {
  int error = 0;
  __selvedge_begin();
  int *found = *name;
  if (found) {
    if ((flags & CREATE) && (flags & EXCLUSIVE))
      error = EEXIST;
  } else if (!(flags & CREATE)) {
    error = ENOENT;
  } else if (value > MOST) {
    error = EINVAL;
  } else {
    /* As large as the C library's. */
    found = malloc(4 * sizeof(long));
    *found = (int)value;
    FAULT(NAME_FORGOTTEN, , *name = found);
  }
  __VERIFIER_atomic_end();
  if (!error)
    return found;
  *__errno_location() = error;
  return (int *)0;
}

int __selvedge_sem_unlink(int **name) {
  int error = 0;
  __selvedge_begin();
  if (*name)
    *name = 0;
  else
    error = ENOENT;
  __VERIFIER_atomic_end();
  return error ? __selvedge_failed(error) : 0;
}

int sem_close(int *semaphore) { return 0; }
