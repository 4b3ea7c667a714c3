// An access at an address of which nothing is known may be anywhere.
#include <pthread.h>
#include <stdlib.h>
extern unsigned long __VERIFIER_nondet_ulong(void);
int x;
void *f(void *a) {
  *(int *)__VERIFIER_nondet_ulong() = 1; // open
  return 0; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  x = 2; // open
  return 0;
}
