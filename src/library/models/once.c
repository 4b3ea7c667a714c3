/* The control is 0 before, 1 while the routine runs, 2 after; who comes meanwhile waits for the thread that runs it, which may be
 * itself. */
int pthread_once(int *control, void (*routine)(void)) {
  __selvedge_begin();
  int state = *control;
  FAULT(ONCE_UNFINISHED, , DEADLOCKS(__selvedge_wait_for(state != 1, control)) NO_DEADLOCKS(__selvedge_wait(state != 1)));
  if (state == 0) {
    *control = 1;
    DEADLOCKS(__selvedge_set_holds(control, 1);)
  }
  __VERIFIER_atomic_end();
  if (state == 0) {
    routine();
    DEADLOCKS(__selvedge_set_holds(control, 0);)
    __atomic_store_n(control, FAULT(ONCE_TWICE, 0, 2), 5);
  }
  return 0;
}

void call_once(int *control, void (*routine)(void)) { pthread_once(control, routine); }
