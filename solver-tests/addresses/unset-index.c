// expect: complete
// No index, set or not, leads out of the array where it is looked at before.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
extern _Bool __VERIFIER_nondet_bool(void);
struct place {
  long index;
  int *of;
} *place;
int one[4], other[4];
void *marks(void *arg) {
  long index = place->index;
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
  assert(one[0] + one[1] + one[2] + one[3] <= 1);
}
