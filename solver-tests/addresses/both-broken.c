// expect: failed
// A union of a pointer and a number that is shorter: pointers are compared by it.
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
union both { int *p; uint32_t u; };
static union both word;
static void *set(void *arg) {
  word.p = malloc(sizeof(int));
  return 0;
}
int main(void) {
  union both own = {malloc(sizeof(int))};
  pthread_t t;
  pthread_create(&t, 0, set, 0);
  pthread_join(t, 0);
  assert((own.u == word.u) == (own.p == word.p));
}
