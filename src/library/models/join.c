/* A thread is joined or detached once; its handle is not to be used after that. */
extern int *__selvedge_handles(void);
extern void __selvedge_defined_handle(int is_fresh);

int __selvedge_claim(unsigned long thread) {
  if (thread < THREADS) {
    int *handle = __selvedge_handles() + thread;
    __selvedge_begin();
    int claimed = *handle;
    *handle = 1;
    __VERIFIER_atomic_end();
    __selvedge_defined_handle(!claimed);
  }
  return 0;
}

int pthread_detach(unsigned long thread) { return __selvedge_claim(thread); }
int thrd_detach(unsigned long thread) { return __selvedge_claim(thread); }
