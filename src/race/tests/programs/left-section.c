// A section that is left by a jump goes on where it leads to, on one of two ways.
#include <pthread.h>
#include <stdlib.h>
extern void __VERIFIER_atomic_begin(void), __VERIFIER_atomic_end(void);
extern int __VERIFIER_nondet_int(void);
int x;
void *f(void *a) {
  if (__VERIFIER_nondet_int())
    goto inside;
  __VERIFIER_atomic_begin();
inside:
  x++; // open
  __VERIFIER_atomic_end();
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  f(0);
  return 0;
}
