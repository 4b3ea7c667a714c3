// expect: failed
// schemes: order, lazy, timestamp, step, mu, auto
// A cast to an integer exposes an object, whatever becomes of the integer: a kept number leads to it.
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
  if ((uintptr_t)now > 5) looks = 1;
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
