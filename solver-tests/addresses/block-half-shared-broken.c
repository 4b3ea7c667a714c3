// expect: failed
// Without the upper half, a pointer is to nothing.
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
static int *from[600], *to[600];
static void *copy(void *arg) {
  memcpy(to, from, sizeof to - 4);
  return 0;
}
int main(void) {
  int *p = malloc(sizeof *p);
  from[599] = p;
  pthread_t t;
  pthread_create(&t, 0, copy, 0);
  pthread_join(t, 0);
  assert(to[599] == p);
}
