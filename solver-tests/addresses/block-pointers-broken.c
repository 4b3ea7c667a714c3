// expect: failed
// What a large array of pointers points to may go before its copy is used, and something else come to be there.
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
static int *from[600], *to[600];
static void *copy(void *arg) {
  memcpy(to, from, sizeof to);
  return 0;
}
int main(void) {
  int *p = malloc(sizeof *p);
  from[500] = p;
  pthread_t t;
  pthread_create(&t, 0, copy, 0);
  pthread_join(t, 0);
  free(p);
  int *q = malloc(sizeof *q);
  assert((uintptr_t)to[500] != (uintptr_t)q);
}
