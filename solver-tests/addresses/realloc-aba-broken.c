// expect: failed
// An array is replaced by a compare-and-swap, although it has grown since it was looked at.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
static int *a;
static int length = 1;
static void *grow(void *arg) {
  int *more = realloc(a, 2 * sizeof *more);
  length = 2;
  a = more;
  return 0;
}
int main(void) {
  a = malloc(sizeof *a);
  int *seen = a, known = length;
  int *fresh = malloc(sizeof *fresh);
  pthread_t t;
  pthread_create(&t, 0, grow, 0);
  pthread_join(t, 0);
  if (__sync_bool_compare_and_swap(&a, seen, fresh))
    assert(known == length);
}
