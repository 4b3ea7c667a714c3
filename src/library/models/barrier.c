/* Barriers (IEEE 1003.1): for how many threads they wait, how many have arrived, and how often they have opened. */
enum { NEEDED, ARRIVED, PHASE };

int pthread_barrier_init(int *barrier, const void *attribute, unsigned count) {
  if (count == 0)
    return EINVAL;
  barrier[NEEDED] = (int)count;
  barrier[ARRIVED] = 0;
  barrier[PHASE] = 0;
  return 0;
}

int pthread_barrier_destroy(int *barrier) { return barrier[ARRIVED] ? EBUSY : 0; }

int pthread_barrier_wait(int *barrier) {
  __selvedge_begin();
  int phase = barrier[PHASE], arrived = barrier[ARRIVED] + 1;
  int last = arrived == barrier[NEEDED];
  barrier[ARRIVED] = last ? 0 : arrived;
  if (last)
    barrier[PHASE] = phase + 1;
  __VERIFIER_atomic_end();
  if (last)
    return -1; /* PTHREAD_BARRIER_SERIAL_THREAD */
  __selvedge_look();
  FAULT(BARRIER_OPEN, , __selvedge_wait(__atomic_load_n(&barrier[PHASE], 0) != FAULT(BARRIER_ONCE, 0, phase)));
  __selvedge_looked();
  return FAULT(BARRIER_ALL_SERIAL, -1, 0);
}

/* Whether nobody waits at it, for the check of misuse. */
int __selvedge_barrier_idle(int *barrier) { return __atomic_load_n(&barrier[ARRIVED], 0) == 0; }
