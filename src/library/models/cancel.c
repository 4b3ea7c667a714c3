/* Cancellation: who is asked to end, and whether the running thread listens. */
extern int *__selvedge_pending(void);
extern int *__selvedge_disabled(void);
extern int *__selvedge_cancel_type(void);
extern void __selvedge_asynchronous(void);

int pthread_cancel(unsigned long handle) {
  unsigned long thread = __selvedge_thread_of(handle);
  if (thread >= THREADS)
    __selvedge_too_many_threads();
  __atomic_store_n(__selvedge_pending() + thread, 1, 3);
  return 0;
}

int pthread_setcancelstate(int state, int *old) {
  if (state < 0 || state > 1)
    return EINVAL;
  if (old)
    __selvedge_give(old, *__selvedge_disabled());
  FAULT(CANCEL_ALWAYS, , *__selvedge_disabled() = state);
  return 0;
}

int pthread_setcanceltype(int type, int *old) {
  if (type < 0 || type > 1)
    return EINVAL;
  if (old)
    __selvedge_give(old, *__selvedge_cancel_type());
  if (type == 1)
    __selvedge_asynchronous();
  *__selvedge_cancel_type() = type;
  return 0;
}

static int __selvedge_is_pending(void) {
  return __selvedge_thread() < THREADS && __atomic_load_n(__selvedge_pending() + __selvedge_thread(), 0);
}

int __selvedge_cancelled(void) {
  *__selvedge_disabled() = 1;
  return __selvedge_exit((void *)-1); /* PTHREAD_CANCELED */
}

/* Whether the running thread ends at a cancellation point. A call that blocks asks before: nobody sees when it starts,
 * so that a thread which asks late is one that was cancelled while it was blocked. */
int __selvedge_leaves(void) {
  return FAULT(CANCEL_LOST, 0, !*__selvedge_disabled() && __selvedge_is_pending());
}

/* Waits, where deadlocks are asked for, until a thread ends or the running thread is cancelled; whether it is. */
int __selvedge_await_end(unsigned long thread) {
  int leaves = 0;
  if (thread >= THREADS)
    __selvedge_too_many_threads();
  __selvedge_begin();
  if (!__atomic_load_n(__selvedge_ended() + thread, 0)) {
    leaves = __selvedge_leaves();
    __selvedge_wait(leaves);
  }
  __VERIFIER_atomic_end();
  return leaves;
}

int __selvedge_testcancel(void) {
  if (__selvedge_leaves())
    __selvedge_cancelled();
  return 0;
}
