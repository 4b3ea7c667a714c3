// expect: failed
// The same of an index that is narrower than an address.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
extern _Bool __VERIFIER_nondet_bool(void);
struct place {
  int index;
  int *of;
} *place;
int one[4], other[4];
void *marks(void *arg) {
  int index = place->index;
  int *of = place->of;
  if (0 <= index && index < 4) of[index] = 1;
  return arg;
}
void *sets(void *arg) {
  place->of = __VERIFIER_nondet_bool() ? one : other;
  if (__VERIFIER_nondet_bool()) place->index = 3;
  return arg;
}
int main(void) {
  pthread_t a, b;
  place = malloc(sizeof *place);
  place->of = one;
  pthread_create(&a, 0, marks, 0);
  pthread_create(&b, 0, sets, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(one[2] == 0);
}
