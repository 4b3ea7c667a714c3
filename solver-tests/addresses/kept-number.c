// expect: complete
// A number that was kept over `free` names what stands there now.
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
static uintptr_t number;
static void *set(void *arg) {
  *(int *)number = 7;
  return 0;
}
int main(void) {
  int *p = malloc(sizeof *p);
  number = (uintptr_t)p;
  free(p);
  int *q = malloc(sizeof *q);
  if ((uintptr_t)q != number) return 0;
  pthread_t t;
  pthread_create(&t, 0, set, 0);
  pthread_join(t, 0);
  assert(*q == 7);
}
