/* Attribute objects (IEEE 1003.1): what was set is given back, and what cannot be set is EINVAL. Those of mutexes and
 * condition variables are one word with a field of bits for each attribute. */
static int __selvedge_set_bits(int *attribute, int shift, int mask, int value, int most) {
  if (value < 0 || value > most)
    return EINVAL;
  *attribute = (*attribute & ~(mask << shift)) | value << shift;
  return 0;
}

static int __selvedge_get_bits(const int *attribute, int shift, int mask, int *value) {
  *value = *attribute >> shift & mask;
  return 0;
}

static int __selvedge_clear_attribute(int *attribute) {
  *attribute = 0;
  return 0;
}

/* Mutexes: type in bits 0 and 1, robust 2, shared 3, protocol 4 and 5, ceiling from 8 on. */
int pthread_mutexattr_init(int *a) { return __selvedge_clear_attribute(a); }
int pthread_mutexattr_destroy(int *a) { return 0; }
int pthread_mutexattr_settype(int *a, int type) { return __selvedge_set_bits(a, 0, 3, type, 3); }
int pthread_mutexattr_gettype(const int *a, int *type) { return __selvedge_get_bits(a, 0, 3, type); }
int pthread_mutexattr_setkind_np(int *a, int type) { return __selvedge_set_bits(a, 0, 3, type, 3); }
int pthread_mutexattr_getkind_np(const int *a, int *type) { return __selvedge_get_bits(a, 0, 3, type); }
int pthread_mutexattr_setrobust(int *a, int robust) { return __selvedge_set_bits(a, 2, 1, robust, 1); }
int pthread_mutexattr_getrobust(const int *a, int *robust) { return __selvedge_get_bits(a, 2, 1, robust); }
int pthread_mutexattr_setrobust_np(int *a, int robust) { return __selvedge_set_bits(a, 2, 1, robust, 1); }
int pthread_mutexattr_getrobust_np(const int *a, int *robust) { return __selvedge_get_bits(a, 2, 1, robust); }
int pthread_mutexattr_setpshared(int *a, int shared) { return __selvedge_set_bits(a, 3, 1, shared, 1); }
int pthread_mutexattr_getpshared(const int *a, int *shared) { return __selvedge_get_bits(a, 3, 1, shared); }
int pthread_mutexattr_setprotocol(int *a, int protocol) { return __selvedge_set_bits(a, 4, 3, protocol, 2); }
int pthread_mutexattr_getprotocol(const int *a, int *protocol) { return __selvedge_get_bits(a, 4, 3, protocol); }
int pthread_mutexattr_setprioceiling(int *a, int ceiling) {
  return ceiling < 1 ? EINVAL : __selvedge_set_bits(a, 8, 127, ceiling, 99);
}
int pthread_mutexattr_getprioceiling(const int *a, int *ceiling) { return __selvedge_get_bits(a, 8, 127, ceiling); }

/* Condition variables: shared in bit 0, the clock (real time or monotonic) in bit 1. */
int pthread_condattr_init(int *a) { return __selvedge_clear_attribute(a); }
int pthread_condattr_destroy(int *a) { return 0; }
int pthread_condattr_setpshared(int *a, int shared) { return __selvedge_set_bits(a, 0, 1, shared, 1); }
int pthread_condattr_getpshared(const int *a, int *shared) { return __selvedge_get_bits(a, 0, 1, shared); }
int pthread_condattr_setclock(int *a, int clock) { return __selvedge_set_bits(a, 1, 1, clock, 1); }
int pthread_condattr_getclock(const int *a, int *clock) { return __selvedge_get_bits(a, 1, 1, clock); }

/* Read-write locks (kind: whom to prefer, which no verdict depends on) and barriers. */
int pthread_rwlockattr_init(int *a) { return __selvedge_clear_attribute(a); }
int pthread_rwlockattr_destroy(int *a) { return 0; }
int pthread_rwlockattr_setpshared(int *a, int shared) { return __selvedge_set_bits(a, 0, 1, shared, 1); }
int pthread_rwlockattr_getpshared(const int *a, int *shared) { return __selvedge_get_bits(a, 0, 1, shared); }
int pthread_rwlockattr_setkind_np(int *a, int kind) { return __selvedge_set_bits(a, 1, 3, kind, 2); }
int pthread_rwlockattr_getkind_np(const int *a, int *kind) { return __selvedge_get_bits(a, 1, 3, kind); }
int pthread_barrierattr_init(int *a) { return __selvedge_clear_attribute(a); }
int pthread_barrierattr_destroy(int *a) { return 0; }
int pthread_barrierattr_setpshared(int *a, int shared) { return __selvedge_set_bits(a, 0, 1, shared, 1); }
int pthread_barrierattr_getpshared(const int *a, int *shared) { return __selvedge_get_bits(a, 0, 1, shared); }

/* Threads. But for the first they change no execution. */
struct __selvedge_attributes {
  int detached, scope, policy, inherits, priority;
  size_t stack_size, guard_size;
  void *stack;
};
enum { STACK_MIN = 16384 };

int pthread_attr_init(struct __selvedge_attributes *a) {
  a->detached = a->scope = a->policy = a->inherits = a->priority = 0;
  a->stack_size = 8 << 20;
  a->guard_size = 4096;
  a->stack = 0;
  return 0;
}
int pthread_attr_destroy(struct __selvedge_attributes *a) { return 0; }
static int __selvedge_set_word(int *word, int value, int most) {
  if (value < 0 || value > most)
    return EINVAL;
  *word = value;
  return 0;
}
int pthread_attr_setdetachstate(struct __selvedge_attributes *a, int detached) {
  return __selvedge_set_word(&a->detached, detached, 1);
}
int pthread_attr_getdetachstate(const struct __selvedge_attributes *a, int *detached) {
  *detached = a->detached;
  return 0;
}
int pthread_attr_setscope(struct __selvedge_attributes *a, int scope) {
  return __selvedge_set_word(&a->scope, scope, 1);
}
int pthread_attr_getscope(const struct __selvedge_attributes *a, int *scope) {
  *scope = a->scope;
  return 0;
}
int pthread_attr_setschedpolicy(struct __selvedge_attributes *a, int policy) {
  return __selvedge_set_word(&a->policy, policy, 2);
}
int pthread_attr_getschedpolicy(const struct __selvedge_attributes *a, int *policy) {
  *policy = a->policy;
  return 0;
}
int pthread_attr_setinheritsched(struct __selvedge_attributes *a, int inherits) {
  return __selvedge_set_word(&a->inherits, inherits, 1);
}
int pthread_attr_getinheritsched(const struct __selvedge_attributes *a, int *inherits) {
  *inherits = a->inherits;
  return 0;
}
/* The parameters are a structure that starts with the priority. */
int pthread_attr_setschedparam(struct __selvedge_attributes *a, const int *priority) {
  return __selvedge_set_word(&a->priority, *priority, 99);
}
int pthread_attr_getschedparam(const struct __selvedge_attributes *a, int *priority) {
  *priority = a->priority;
  return 0;
}
int pthread_attr_setstacksize(struct __selvedge_attributes *a, size_t size) {
  if (size < STACK_MIN)
    return EINVAL;
  a->stack_size = size;
  return 0;
}
int pthread_attr_getstacksize(const struct __selvedge_attributes *a, size_t *size) {
  *size = a->stack_size;
  return 0;
}
int pthread_attr_setguardsize(struct __selvedge_attributes *a, size_t size) {
  a->guard_size = size;
  return 0;
}
int pthread_attr_getguardsize(const struct __selvedge_attributes *a, size_t *size) {
  *size = a->guard_size;
  return 0;
}
int pthread_attr_setstack(struct __selvedge_attributes *a, void *stack, size_t size) {
  if (size < STACK_MIN)
    return EINVAL;
  a->stack = stack;
  a->stack_size = size;
  return 0;
}
int pthread_attr_getstack(const struct __selvedge_attributes *a, void **stack, size_t *size) {
  *stack = a->stack;
  *size = a->stack_size;
  return 0;
}
int pthread_attr_setstackaddr(struct __selvedge_attributes *a, void *stack) {
  a->stack = stack;
  return 0;
}
int pthread_attr_getstackaddr(const struct __selvedge_attributes *a, void **stack) {
  *stack = a->stack;
  return 0;
}
int pthread_getattr_np(unsigned long thread, struct __selvedge_attributes *a) { return pthread_attr_init(a); }

/* Attributes of running threads, and of all. */
int pthread_getschedparam(unsigned long thread, int *policy, int *priority) {
  *policy = 0;
  *priority = 0;
  return 0;
}
int pthread_getname_np(unsigned long thread, char *name, size_t size) {
  if (size == 0)
    return 34; /* ERANGE */
  *name = 0;
  return 0;
}
int pthread_getcpuclockid(unsigned long thread, int *clock) {
  *clock = 3; /* CLOCK_THREAD_CPUTIME_ID */
  return 0;
}
extern int *__selvedge_concurrency(void);
int pthread_setconcurrency(int level) {
  if (level < 0)
    return EINVAL;
  *__selvedge_concurrency() = level;
  return 0;
}
int pthread_getconcurrency(void) { return *__selvedge_concurrency(); }

/* A thread that is created with these attributes is one that cannot be joined. */
int __selvedge_created(unsigned long thread, const struct __selvedge_attributes *a) {
  if (a && a->detached)
    __selvedge_claim(thread);
  return 0;
}
int __selvedge_is_detached(const struct __selvedge_attributes *a) { return a && a->detached; }
