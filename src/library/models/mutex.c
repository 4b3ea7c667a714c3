/* Mutexes of all kinds (IEEE 1003.1). The two low bits of the kind are its type: 1 is recursive, 2 error-checking,
 * everything else normal; bit 4 makes it robust. The owner is the number of its thread, from 1; nobody but the owner
 * itself can see itself there, so it may be read without the mutex. The depth counts the locks of the owner after the
 * first. `busy` is what an operation returns that does not wait, otherwise 0. */
extern void __selvedge_lock(void *mutex);
extern void __selvedge_unlock(void *mutex);
extern int __selvedge_trylock(void *mutex);

enum { RECURSIVE = 1, ERRORCHECK = 2, TYPE = 3, ROBUST = 16, INCONSISTENT = 32, NOT_RECOVERABLE = 64 };

static int __selvedge_has_owner(int kind) { return (kind & TYPE) == RECURSIVE || (kind & TYPE) == ERRORCHECK; }

static int __selvedge_is_owned(int kind, int *owner) {
  return __selvedge_has_owner(kind) && __atomic_load_n(owner, 0) == __selvedge_me();
}

static void __selvedge_own(int kind, int *owner, int *depth) {
  if (__selvedge_has_owner(kind)) {
    FAULT(OWNER_LOST, , __atomic_store_n(owner, __selvedge_me(), 0));
    *depth = 0;
  }
}

/* A robust mutex is its owner alone, every operation one step. Who takes it from a thread that has ended finds it
 * inconsistent, and leaves it unusable unless it is made consistent. */

static int __selvedge_has_ended(int owner) {
  if (owner > THREADS)
    __selvedge_too_many_threads();
  return __selvedge_ended()[owner - 1];
}

/* Where deadlocks are asked for, a thread knows the robust mutexes that it holds: at its end it gives them up. */
extern void **__selvedge_robust(void);
extern void __selvedge_too_many_robust(void);
#define EACH_HELD(DO) DO(0) DO(1) DO(2) DO(3)
#define TAKE_HELD(i) if (!held[i]) held[i] = mutex; else
#define GIVE_HELD(i) if (held[i] == mutex) held[i] = 0;
#define END_HELD(i) if (held[i]) __selvedge_set_holds(held[i], 0);

static void __selvedge_robust_taken(void *mutex) {
  void **held = __selvedge_robust();
  __selvedge_set_holds(mutex, 1);
  EACH_HELD(TAKE_HELD) __selvedge_too_many_robust();
}

static void __selvedge_robust_given(void *mutex) {
  void **held = __selvedge_robust();
  __selvedge_set_holds(mutex, 0);
  EACH_HELD(GIVE_HELD)
}

int __selvedge_robust_end(void) {
  void **held = __selvedge_robust();
  EACH_HELD(END_HELD)
  return 0;
}

/* Where deadlocks are asked for, the type is read before: it never changes, and a step that waits has read nothing. */
static int __selvedge_robust_lock(DEADLOCKS(void *mutex, int type,) int *kind, int *owner, int *depth, int busy) {
  int result = 0;
  __selvedge_begin();
  int k = *kind, o = *owner;
  NO_DEADLOCKS(int type = k;)
  if (o == __selvedge_me()) {
    if ((type & TYPE) == RECURSIVE)
      ++*depth;
    else if ((type & TYPE) == ERRORCHECK && busy != EBUSY)
      result = EDEADLK;
    else if (busy)
      result = busy;
    else {
      NO_DEADLOCKS(__selvedge_wait(0);)
      DEADLOCKS(__selvedge_wait_for_self(0, mutex);)
    }
  } else if (k & NOT_RECOVERABLE) {
    result = ENOTRECOVERABLE;
  } else if (o == 0 || FAULT(ROBUST_BLOCKS, 0, __selvedge_has_ended(o))) {
    *owner = __selvedge_me();
    *depth = 0;
    DEADLOCKS(__selvedge_robust_taken(mutex);)
    if (o != 0) {
      *kind = k | INCONSISTENT;
      FAULT(OWNER_DEAD_UNTOLD, , result = EOWNERDEAD);
    }
  } else if (busy) {
    result = busy;
  } else {
    NO_DEADLOCKS(__selvedge_wait(0);)
    DEADLOCKS(__selvedge_wait_for_others(0, mutex);)
  }
  __VERIFIER_atomic_end();
  return result;
}

static int __selvedge_robust_unlock(DEADLOCKS(void *mutex,) int *kind, int *owner, int *depth) {
  int result = 0;
  __selvedge_begin();
  int k = *kind;
  if (*owner != __selvedge_me()) {
    result = EPERM;
  } else if (*depth) {
    --*depth;
  } else {
    *owner = 0;
    DEADLOCKS(__selvedge_robust_given(mutex);)
    if (k & INCONSISTENT)
      *kind = FAULT(INCONSISTENT_USED, k & ~INCONSISTENT, (k & ~INCONSISTENT) | NOT_RECOVERABLE);
  }
  __VERIFIER_atomic_end();
  return result;
}

int __selvedge_mutex_consistent(void *mutex, int *kind, int *owner, int *depth) {
  int result = EINVAL;
  __selvedge_begin();
  int k = *kind;
  if ((k & INCONSISTENT) && *owner == __selvedge_me()) {
    *kind = k & ~INCONSISTENT;
    result = 0;
  }
  __VERIFIER_atomic_end();
  return result;
}

int __selvedge_mutex_lock(void *mutex, int *kind, int *owner, int *depth) {
  int k = __atomic_load_n(kind, 0);
  if (k & ROBUST)
    return __selvedge_robust_lock(DEADLOCKS(mutex, k,) kind, owner, depth, 0);
  if (__selvedge_is_owned(k, owner)) {
    if (FAULT(DEADLOCK_UNNOTICED, 0, (k & TYPE) == ERRORCHECK))
      return EDEADLK;
    FAULT(RECURSIVE_BLOCKS, __selvedge_wait(0), ++*depth);
    return 0;
  }
  __selvedge_lock(mutex);
  __selvedge_own(k, owner, depth);
  return 0;
}

int __selvedge_mutex_trylock(void *mutex, int *kind, int *owner, int *depth, int busy) {
  int k = __atomic_load_n(kind, 0);
  if (k & ROBUST)
    return __selvedge_robust_lock(DEADLOCKS(mutex, k,) kind, owner, depth, busy);
  if (__selvedge_is_owned(k, owner)) {
    if ((k & TYPE) == ERRORCHECK)
      return busy == EBUSY ? busy : EDEADLK;
    FAULT(OWN_TRY_LOCK_FAILS, return busy, ++*depth);
    return 0;
  }
  if (__selvedge_trylock(mutex))
    return busy;
  __selvedge_own(k, owner, depth);
  return 0;
}

int __selvedge_mutex_unlock(void *mutex, int *kind, int *owner, int *depth) {
  int k = __atomic_load_n(kind, 0);
  if (k & ROBUST)
    return __selvedge_robust_unlock(DEADLOCKS(mutex,) kind, owner, depth);
  if (__selvedge_has_owner(k)) {
    if (FAULT(FOREIGN_UNLOCK, 0, !__selvedge_is_owned(k, owner)))
      return EPERM;
    if (FAULT(DEPTH_LOST, 0, *depth)) {
      --*depth;
      return 0;
    }
    __atomic_store_n(owner, 0, 0);
  }
  __selvedge_unlock(mutex);
  return 0;
}

/* What a mutex is initialised to by an attribute object, see attribute.c. */
int __selvedge_mutex_kind(const int *attribute) {
  int a = *attribute;
  return (a & TYPE) | (a & 4 ? ROBUST : 0);
}
