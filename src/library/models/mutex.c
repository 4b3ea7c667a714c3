/* Mutexes of all kinds (IEEE 1003.1): 1 is recursive, 2 error-checking, everything else normal. The owner is the
 * number of its thread, from 1; nobody but the owner itself can see itself there, so it may be read without the mutex.
 * The depth counts the locks of the owner after the first. */
extern void __selvedge_lock(void *mutex);
extern void __selvedge_unlock(void *mutex);
extern int __selvedge_trylock(void *mutex);
extern unsigned long pthread_self(void);

static int __selvedge_is_owned(int kind, int *owner) {
  return (kind == 1 || kind == 2) && __atomic_load_n(owner, 0) == (int)pthread_self() + 1;
}

static void __selvedge_own(int kind, int *owner, int *depth) {
  if (kind == 1 || kind == 2) {
    __atomic_store_n(owner, (int)pthread_self() + 1, 0);
    *depth = 0;
  }
}

int __selvedge_mutex_lock(void *mutex, int *kind, int *owner, int *depth) {
  int k = __atomic_load_n(kind, 0);
  if (__selvedge_is_owned(k, owner)) {
    if (k == 2)
      return 35; /* EDEADLK */
    ++*depth;
    return 0;
  }
  __selvedge_lock(mutex);
  __selvedge_own(k, owner, depth);
  return 0;
}

int __selvedge_mutex_trylock(void *mutex, int *kind, int *owner, int *depth, int busy) {
  int k = __atomic_load_n(kind, 0);
  if (__selvedge_is_owned(k, owner)) {
    if (k == 2)
      return busy == 16 ? busy : 35;
    ++*depth;
    return 0;
  }
  if (__selvedge_trylock(mutex))
    return busy;
  __selvedge_own(k, owner, depth);
  return 0;
}

int __selvedge_mutex_unlock(void *mutex, int *kind, int *owner, int *depth) {
  int k = __atomic_load_n(kind, 0);
  if (k == 1 || k == 2) {
    if (!__selvedge_is_owned(k, owner))
      return 1; /* EPERM */
    if (*depth) {
      --*depth;
      return 0;
    }
    __atomic_store_n(owner, 0, 0);
  }
  __selvedge_unlock(mutex);
  return 0;
}

/* What a wait does with its mutex. */
int __selvedge_mutex_release(void *mutex, int *kind, int *owner, int *depth) {
  int k = __atomic_load_n(kind, 0);
  if (k == 1 || k == 2)
    __atomic_store_n(owner, 0, 0);
  __selvedge_unlock(mutex);
  return 0;
}

int __selvedge_mutex_acquire(void *mutex, int *kind, int *owner, int *depth) {
  int k = __atomic_load_n(kind, 0);
  __selvedge_lock(mutex);
  __selvedge_own(k, owner, depth);
  return 0;
}

