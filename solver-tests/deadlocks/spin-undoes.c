#include <pthread.h>
#include <stdatomic.h>

_Atomic int busy, never;
int seen;

/* What it changes, it changes back. */
void *waits(void *arg) {
  while (!never) { // blocked
    busy = 1;
    busy = 0;
  }
  return arg;
}

/* Sees it now and then, and goes. */
void *sees(void *arg) {
  while (!busy)
    ;
  return arg;
}

int main(void) {
  pthread_t t[2];
  pthread_create(&t[0], 0, waits, 0);
  pthread_create(&t[1], 0, sees, 0);
  pthread_join(t[1], 0);
  pthread_join(t[0], 0); // blocked
  return 0;
}
