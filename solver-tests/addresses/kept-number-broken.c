// expect: failed
// A number that was kept over `free` does not name what stood there before.
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
static uintptr_t number;
static void *get(void *arg) {
  assert(*(int *)number == 5);
  return 0;
}
int main(void) {
  int *p = malloc(sizeof *p);
  *p = 5;
  number = (uintptr_t)p;
  free(p);
  int *q = malloc(sizeof *q);
  *q = 7;
  if ((uintptr_t)q != number) return 0;
  pthread_t t;
  pthread_create(&t, 0, get, 0);
  pthread_join(t, 0);
}
