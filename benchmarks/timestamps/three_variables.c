// Two threads, one incrementing and one decrementing three shared variables in a loop, without a lock.
// Written after the description of "3Var-nolock-2threads" in the paper on timestamps (its row 4, unwinding 4).
// Expected: holds. Updates may be lost, but no variable leaves -N..N.
#include <assert.h>
#include <pthread.h>

#ifndef N
#define N 4
#endif

int x, y, z;

void *up(void *arg) {
  for (int k = 0; k < N; k++) {
    x++;
    y++;
    z++;
  }
  return 0;
}

void *down(void *arg) {
  for (int k = 0; k < N; k++) {
    x--;
    y--;
    z--;
  }
  return 0;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, up, 0);
  pthread_create(&b, 0, down, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(-N <= x && x <= N);
  assert(-N <= y && y <= N);
  assert(-N <= z && z <= N);
  return 0;
}
