
/* Threads (IEEE 1003.1, C11 7.26): handles, thread-specific values, cleanup handlers, cancellation, ends. */

/* A thread is joined or detached once; its handle is not to be used after that. */
extern int *__selvedge_handles(void);
extern void __selvedge_defined_handle(int is_fresh);

int __selvedge_claim(unsigned long thread) {
  if (thread < THREADS) {
    int *handle = __selvedge_handles() + thread;
    __VERIFIER_atomic_begin();
    int claimed = *handle;
    *handle = 1;
    __VERIFIER_atomic_end();
    __selvedge_defined_handle(!claimed);
  }
  return 0;
}

int pthread_detach(unsigned long thread) { return __selvedge_claim(thread); }
int thrd_detach(unsigned long thread) { return __selvedge_claim(thread); }

/* A thread that is created with these attributes is one that cannot be joined. */
int __selvedge_created(unsigned long thread, const struct __selvedge_attributes *a) {
  if (a && a->detached)
    __selvedge_claim(thread);
  return 0;
}

/* Whether a thread has ended, and why a join that does not wait fails. */
int __selvedge_may_join(unsigned long thread, int busy) {
  if (thread >= THREADS)
    __selvedge_too_many_threads();
  return __atomic_load_n(__selvedge_ended() + thread, 0) ? 0 : busy;
}

/* Keys: how many there are, their destructors, and the running thread's values. */
enum { KEYS = 16 };
extern int *__selvedge_keys(void);
extern void (**__selvedge_destructors(void))(void *);
extern void **__selvedge_values(void);
extern void __selvedge_too_many_keys(void);

int pthread_key_create(int *key, void (*destructor)(void *)) {
  __VERIFIER_atomic_begin();
  int fresh = *__selvedge_keys();
  *__selvedge_keys() = fresh + 1;
  __VERIFIER_atomic_end();
  if (fresh >= KEYS)
    __selvedge_too_many_keys();
  if (destructor)
    __selvedge_destructors()[fresh] = destructor;
  *key = fresh;
  return 0;
}

int pthread_key_delete(unsigned key) {
  if (__selvedge_destructors()[key])
    __selvedge_destructors()[key] = 0;
  return 0;
}

void *pthread_getspecific(unsigned key) { return __selvedge_values()[key]; }

int pthread_setspecific(unsigned key, void *value) {
  __selvedge_values()[key] = value;
  return 0;
}

int tss_create(int *key, void (*destructor)(void *)) { return pthread_key_create(key, destructor); }
void tss_delete(unsigned key) { pthread_key_delete(key); }
void *tss_get(unsigned key) { return pthread_getspecific(key); }
int tss_set(unsigned key, void *value) { return pthread_setspecific(key, value); }

/* What a thread does at its end: destructors of values that are not null, in as many rounds as they set new ones,
 * but in no more than PTHREAD_DESTRUCTOR_ITERATIONS, which is 4. */
static int __selvedge_destroy(int count) {
  int any = 0;
  for (int key = 0; key < count; key++) {
    void *value = __selvedge_values()[key];
    if (value) {
      void (*destructor)(void *) = __selvedge_destructors()[key];
      if (destructor) {
        __selvedge_values()[key] = 0;
        any = 1;
        destructor(value);
      }
    }
  }
  return any;
}

int __selvedge_finish(void) {
  int count = *__selvedge_keys();
  if (__selvedge_destroy(count) && __selvedge_destroy(count) && __selvedge_destroy(count))
    __selvedge_destroy(count);
  if (pthread_self() < THREADS)
    __atomic_store_n(__selvedge_ended() + pthread_self(), 1, 0);
  return 0;
}

/* Cleanup handlers: a list from the newest on. Where the C library's headers register a place to jump back to
 * instead, a thread that ends before the place is left is not modelled. */
struct __selvedge_cleanup {
  void (*routine)(void *);
  void *argument;
  struct __selvedge_cleanup *next;
};
extern struct __selvedge_cleanup **__selvedge_handlers(void);
extern int *__selvedge_registered(void);
extern void __selvedge_unknown_handlers(void);
extern void __selvedge_end(void *result);

void __selvedge_cleanup_push(struct __selvedge_cleanup *handler) {
  handler->next = *__selvedge_handlers();
  *__selvedge_handlers() = handler;
}

void __selvedge_cleanup_pop(struct __selvedge_cleanup *handler, int execute) {
  *__selvedge_handlers() = handler->next;
  if (execute)
    handler->routine(handler->argument);
}

void __pthread_register_cancel(void *place) { ++*__selvedge_registered(); }
void __pthread_unregister_cancel(void *place) { --*__selvedge_registered(); }

int __selvedge_exit(void *result) {
  if (*__selvedge_registered())
    __selvedge_unknown_handlers();
  while (*__selvedge_handlers()) {
    struct __selvedge_cleanup *handler = *__selvedge_handlers();
    *__selvedge_handlers() = handler->next;
    handler->routine(handler->argument);
  }
  __selvedge_finish();
  __selvedge_end(result);
  return 0;
}

/* Cancellation: who is asked to end, and whether the running thread listens. */
extern int *__selvedge_pending(void);
extern int *__selvedge_disabled(void);
extern int *__selvedge_cancel_type(void);
extern void __selvedge_asynchronous(void);

int pthread_cancel(unsigned long thread) {
  if (thread >= THREADS)
    __selvedge_too_many_threads();
  __atomic_store_n(__selvedge_pending() + thread, 1, 0);
  return 0;
}

int pthread_setcancelstate(int state, int *old) {
  if (state < 0 || state > 1)
    return EINVAL;
  if (old)
    *old = *__selvedge_disabled();
  *__selvedge_disabled() = state;
  return 0;
}

int pthread_setcanceltype(int type, int *old) {
  if (type < 0 || type > 1)
    return EINVAL;
  if (old)
    *old = *__selvedge_cancel_type();
  if (type == 1)
    __selvedge_asynchronous();
  *__selvedge_cancel_type() = type;
  return 0;
}

static int __selvedge_is_pending(void) {
  return pthread_self() < THREADS && __atomic_load_n(__selvedge_pending() + pthread_self(), 0);
}

int __selvedge_cancelled(void) {
  *__selvedge_disabled() = 1;
  return __selvedge_exit((void *)-1); /* PTHREAD_CANCELED */
}

/* Whether the running thread ends at a cancellation point. A call that blocks asks before: nobody sees when it starts,
 * so that a thread which asks late is one that was cancelled while it was blocked. */
int __selvedge_leaves(void) { return !*__selvedge_disabled() && __selvedge_is_pending(); }

int __selvedge_testcancel(void) {
  if (__selvedge_leaves())
    __selvedge_cancelled();
  return 0;
}

/* The control is 0 before, 1 while the routine runs, 2 after; who comes meanwhile waits. */
int pthread_once(int *control, void (*routine)(void)) {
  __VERIFIER_atomic_begin();
  int state = *control;
  __VERIFIER_assume(state != 1);
  if (state == 0)
    *control = 1;
  __VERIFIER_atomic_end();
  if (state == 0) {
    routine();
    __atomic_store_n(control, 2, 3);
  }
  return 0;
}

void call_once(int *control, void (*routine)(void)) { pthread_once(control, routine); }

/* Clocks show any time. */
struct __selvedge_time {
  long seconds, part;
};
extern long __VERIFIER_nondet_long(void);

static void __selvedge_now(struct __selvedge_time *now, long most) {
  long seconds = __VERIFIER_nondet_long(), part = __VERIFIER_nondet_long();
  __VERIFIER_assume(seconds >= 0 && part >= 0 && part < most);
  now->seconds = seconds;
  now->part = part;
}

int clock_gettime(int clock, struct __selvedge_time *now) {
  __selvedge_now(now, 1000000000);
  return 0;
}
int gettimeofday(struct __selvedge_time *now, void *zone) {
  __selvedge_now(now, 1000000);
  return 0;
}
int timespec_get(struct __selvedge_time *now, int base) {
  if (base != 1)
    return 0;
  __selvedge_now(now, 1000000000);
  return base;
}
