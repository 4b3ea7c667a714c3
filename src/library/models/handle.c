/* Handles of threads where programs may see them come back: each is an object, which ends when the thread has ended and
 * was joined or detached. */
struct __selvedge_handle {
  unsigned long started; /* the number of the thread, from 1 */
  void *argument;
  short over, claimed;
};
enum { JOINED = 1, DETACHED = 2 };
extern struct __selvedge_handle **__selvedge_own_handle(void);
extern struct __selvedge_handle *__selvedge_main_handle(void);
extern void __selvedge_defined_handle(int is_fresh);

struct __selvedge_handle *__selvedge_handle_new(void *argument, int detached) {
  struct __selvedge_handle *handle = malloc(sizeof *handle);
  handle->started = 0;
  handle->argument = argument;
  handle->over = 0;
  handle->claimed = detached ? DETACHED : 0;
  return handle;
}

/* What a thread does first; what its start routine gets. */
void *__selvedge_handle_start(struct __selvedge_handle *handle) {
  *__selvedge_own_handle() = handle;
  void *argument = handle->argument;
  __atomic_store_n(&handle->started, __selvedge_thread() + 1, 5);
  return argument;
}

struct __selvedge_handle *__selvedge_handle_self(void) {
  if (!*__selvedge_own_handle()) { /* main */
    __selvedge_main_handle()->started = 1;
    *__selvedge_own_handle() = __selvedge_main_handle();
  }
  return *__selvedge_own_handle();
}

/* The number of a thread. Whoever asks waits for its first step, which nothing keeps from being made. */
unsigned long __selvedge_handle_thread(struct __selvedge_handle *handle) {
  __selvedge_begin();
  unsigned long started = handle->started;
  __VERIFIER_assume(started != 0);
  __VERIFIER_atomic_end();
  return started - 1;
}

int __selvedge_handle_claim(struct __selvedge_handle *handle, int how) {
  __selvedge_begin();
  int claimed = handle->claimed, over = handle->over;
  handle->claimed = how;
  __VERIFIER_atomic_end();
  __selvedge_defined_handle(!claimed);
  return over;
}

int __selvedge_handle_detach(struct __selvedge_handle *handle) {
  if (__selvedge_handle_claim(handle, DETACHED))
    free(handle);
  return 0;
}

/* What a thread does last. */
int __selvedge_handle_over(void) {
  struct __selvedge_handle *handle = *__selvedge_own_handle();
  if (handle && handle != __selvedge_main_handle()) {
    __selvedge_begin();
    int claimed = handle->claimed;
    handle->over = 1;
    __VERIFIER_atomic_end();
    if (claimed == DETACHED)
      free(handle);
  }
  return 0;
}
