// Atomic sections are atomic among themselves, and beside nothing else.
// says x: both in atomic sections
#include <pthread.h>
#include <stdlib.h>
extern void __VERIFIER_atomic_begin(void), __VERIFIER_atomic_end(void);
int x, y;
void *f(void *a) {
  __VERIFIER_atomic_begin();
  x++;
  y++; // open
  __VERIFIER_atomic_end();
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  f(0);
  y = 1; // open
  return 0;
}
