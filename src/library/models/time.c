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
