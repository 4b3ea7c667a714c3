// expect: complete
// A large array of pointers is copied as a whole, with what they point to.
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
static int *from[600], *to[600];
static void *copy(void *arg) {
  memcpy(to, from, sizeof to);
  *to[500] = 5;
  return 0;
}
int main(void) {
  int *p = malloc(sizeof *p);
  from[500] = p;
  pthread_t t;
  pthread_create(&t, 0, copy, 0);
  pthread_join(t, 0);
  assert(*p == 5);
  assert((uintptr_t)to[500] == (uintptr_t)p && (uintptr_t)p % 16 == 0);
}
