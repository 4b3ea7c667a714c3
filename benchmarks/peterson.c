/* Peterson's algorithm for two threads, on sequentially consistent atomics: expected to hold under every memory
 * model. The waiting loops have no bound, but an iteration that only looks again changes nothing. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

atomic_int wants[2];
atomic_int turn;
int inside; /* threads in the critical section */

void *enter(void *arg) {
  int me = arg != NULL;
  int other = 1 - me;
  atomic_store(&wants[me], 1);
  atomic_store(&turn, other);
  while (atomic_load(&wants[other]) && atomic_load(&turn) == other) {
  }
  inside++;
  assert(inside == 1);
  inside--;
  atomic_store(&wants[me], 0);
  return NULL;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, enter, NULL);
  pthread_create(&b, NULL, enter, &inside);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
