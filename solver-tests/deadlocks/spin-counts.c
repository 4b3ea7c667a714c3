#include <pthread.h>
#include <stdatomic.h>

_Atomic int never, turns;

/* Does something for ever. */
void *counts(void *arg) {
  while (!never)
    turns++;
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, counts, 0);
  if (turns > 2)
    never = 0;
  pthread_join(t, 0);
  return 0;
}
