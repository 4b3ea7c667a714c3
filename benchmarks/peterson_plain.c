/* Peterson's algorithm on plain variables: expected to hold under sequential consistency, and to be violated under
 * TSO and PSO, where a thread may read the other's flag while its own is still in its store buffer. */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

volatile int wants_a, wants_b, turn;
volatile int inside_a, inside_b;

void *enter_a(void *unused) {
  wants_a = 1;
  turn = 1;
  while (wants_b && turn == 1) {
  }
  inside_a = 1;
  assert(!inside_b);
  inside_a = 0;
  wants_a = 0;
  return NULL;
}

void *enter_b(void *unused) {
  wants_b = 1;
  turn = 0;
  while (wants_a && turn == 0) {
  }
  inside_b = 1;
  assert(!inside_a);
  inside_b = 0;
  wants_b = 0;
  return NULL;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, enter_a, NULL);
  pthread_create(&b, NULL, enter_b, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
