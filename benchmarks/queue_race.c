/* A bounded queue with two producers. put() looks for room before it takes the lock, so both producers may see the
 * last free place: expected is a violation, in which the queue holds more than it has places for. */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

#define PLACES 1

int items[PLACES + 1]; /* one more, so that the error is seen by the assertion and not by the memory */
int used;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

int put(int item) {
  if (used == PLACES)
    return 0;
  pthread_mutex_lock(&lock);
  items[used] = item;
  used++;
  assert(used <= PLACES);
  pthread_mutex_unlock(&lock);
  return 1;
}

void *produce(void *unused) {
  put(7);
  return NULL;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, produce, NULL);
  pthread_create(&b, NULL, produce, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
