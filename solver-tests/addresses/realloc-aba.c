// expect: complete
// With a version beside the pointer, that cannot be.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
static int *a;
static int length = 1, version;
static void *grow(void *arg) {
  int *more = realloc(a, 2 * sizeof *more);
  length = 2;
  version++;
  a = more;
  return 0;
}
int main(void) {
  a = malloc(sizeof *a);
  int *seen = a, known = length, before = version;
  pthread_t t;
  pthread_create(&t, 0, grow, 0);
  pthread_join(t, 0);
  if (a == seen && version == before)
    assert(known == length);
}
