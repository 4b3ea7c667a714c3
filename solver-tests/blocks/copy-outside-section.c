// unsafe
#include <assert.h>
#include <pthread.h>
#include <string.h>
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
struct wide { long v[600]; } a, b;
void *worker(void *x) {
  __VERIFIER_atomic_begin();
  a.v[3] = 1;
  a.v[500] = 1;
  __VERIFIER_atomic_end();
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, worker, 0);
  b = a;
  assert(b.v[3] == b.v[500]);
}
