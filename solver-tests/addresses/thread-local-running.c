// expect: complete
// What is allocated while a thread runs is not where its own variable is.
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
static _Thread_local int own;
static void *compare(void *p) {
  assert((uintptr_t)p != (uintptr_t)&own);
  return 0;
}
int main(void) {
  pthread_t s, t;
  pthread_create(&s, 0, compare, &own);
  pthread_create(&t, 0, compare, malloc(4));
  pthread_join(s, 0);
  pthread_join(t, 0);
}
