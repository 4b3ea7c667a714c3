/* The control is 0 before, 1 while the routine runs, 2 after; who comes meanwhile waits. */
int pthread_once(int *control, void (*routine)(void)) {
  __selvedge_begin();
  int state = *control;
  FAULT(ONCE_UNFINISHED, , __selvedge_wait(state != 1));
  if (state == 0)
    *control = 1;
  __VERIFIER_atomic_end();
  if (state == 0) {
    routine();
    __atomic_store_n(control, FAULT(ONCE_TWICE, 0, 2), 5);
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
