// expect: bounded undefined
// schemes: order, lazy, timestamp, step, mu, auto
// A number does not lead to an object that was never exposed: what comes to its place is not meant.
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
static uintptr_t kept;
static int *now, looks;
static void *exchange(void *arg) {
  free(now);
  now = malloc(sizeof *now);
  *now = 2;
  if (now) looks = 1;
  return 0;
}
int main(void) {
  pthread_t t;
  now = malloc(sizeof *now);
  kept = (uintptr_t)now;
  pthread_create(&t, 0, exchange, 0);
  pthread_join(t, 0);
  *(int *)kept = 1;
  assert(*now == 2);
}
