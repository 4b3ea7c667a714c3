/* Two threads count to two together, without a lock. An increment is a read and a write, so one update may get
 * lost: expected is a violation, by a schedule in which both threads read before either writes. */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

int counter;

void *count(void *unused) {
  counter++;
  return NULL;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, count, NULL);
  pthread_create(&b, NULL, count, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  assert(counter == 2);
  return 0;
}
