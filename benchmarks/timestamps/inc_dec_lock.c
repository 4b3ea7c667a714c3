// Two threads, one incrementing and one decrementing a shared variable under a lock, in a loop.
// Written after the description of "inc-dec-lock-2threads" in the paper on timestamps (its row 10, unwinding 9).
// Expected: holds. No update is lost.
#include <assert.h>
#include <pthread.h>

#ifndef N
#define N 9
#endif

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int count;

void *up(void *arg) {
  for (int k = 0; k < N; k++) {
    pthread_mutex_lock(&lock);
    count++;
    pthread_mutex_unlock(&lock);
  }
  return 0;
}

void *down(void *arg) {
  for (int k = 0; k < N; k++) {
    pthread_mutex_lock(&lock);
    count--;
    pthread_mutex_unlock(&lock);
  }
  return 0;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, up, 0);
  pthread_create(&b, 0, down, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(count == 0);
  return 0;
}
