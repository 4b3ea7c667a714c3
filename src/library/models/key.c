/* Whether a thread has ended, and why a join that does not wait fails. */
int __selvedge_may_join(unsigned long thread, int busy) {
  if (thread >= THREADS)
    __selvedge_too_many_threads();
  return __atomic_load_n(__selvedge_ended() + thread, 0) ? 0 : busy;
}

extern void __selvedge_over(void);
extern void __selvedge_give_up(void);

/* Keys: how many there are, their destructors, and the running thread's values. */
enum { KEYS = 16 };
extern int *__selvedge_keys(void);
extern void (**__selvedge_destructors(void))(void *);
extern void **__selvedge_values(void);
extern void __selvedge_too_many_keys(void);

int pthread_key_create(int *key, void (*destructor)(void *)) {
  __selvedge_begin();
  int fresh = *__selvedge_keys();
  *__selvedge_keys() = fresh + 1;
  __VERIFIER_atomic_end();
  if (fresh >= KEYS)
    __selvedge_too_many_keys();
  if (destructor)
    __selvedge_destructors()[fresh] = destructor;
  __selvedge_give(key, FAULT(KEYS_SAME, 0, fresh));
  return 0;
}

int pthread_key_delete(unsigned key) {
  if (__selvedge_destructors()[key])
    __selvedge_destructors()[key] = 0;
  return 0;
}

/* For the check of misuse: whether a key exists, and that it does no longer. */
extern int *__selvedge_deleted(void);

int __selvedge_key_exists(unsigned key) {
  return key < (unsigned)__atomic_load_n(__selvedge_keys(), 0) &&
         (key >= KEYS || !__atomic_load_n(__selvedge_deleted() + key, 0));
}
int __selvedge_key_deleted(unsigned key) {
  if (key < KEYS)
    __atomic_store_n(__selvedge_deleted() + key, 1, 0);
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
        FAULT(VALUE_KEPT, , __selvedge_values()[key] = 0);
        any = FAULT(VALUE_KEPT, 0, 1);
        FAULT(DESTRUCTORS_LOST, , destructor(value));
      }
    }
  }
  return any;
}

int __selvedge_finish(void) {
  int count = *__selvedge_keys();
  if (__selvedge_destroy(count) && FAULT(ONE_ROUND, 0, __selvedge_destroy(count)) && __selvedge_destroy(count))
    __selvedge_destroy(count);
  DEADLOCKS(__selvedge_give_up();)
  if (__selvedge_thread() < THREADS)
    __atomic_store_n(__selvedge_ended() + __selvedge_thread(), 1, 5);
  __selvedge_over();
  return 0;
}
