// expect: failed
// schemes: order, lazy, timestamp, step, mu, auto
// Who looks at the low bits of an address has exposed its object: a kept number leads to it.
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
static uintptr_t hidden;
static int *now, exchanged;
static void *exchange(void *arg) {
  free(now);
  now = malloc(sizeof *now);
  *now = 2;
  if (!((uintptr_t)now & 3)) exchanged = 1;
  return 0;
}
int main(void) {
  pthread_t t;
  now = malloc(sizeof *now);
  hidden = ~(uintptr_t)now;
  pthread_create(&t, 0, exchange, 0);
  pthread_join(t, 0);
  *(int *)~hidden = 1;
  assert(*now == 2);
}
