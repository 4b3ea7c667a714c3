// A function is called through a table.
#include <pthread.h>
#include <stdlib.h>
int x;
void one(void) {
  x = 1; // open
}
void two(void) { }
void (*table[2])(void) = { two, one };
extern int __VERIFIER_nondet_int(void);
void *f(void *a) { table[__VERIFIER_nondet_int() & 1](); return 0; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  x = 2; // open
  return 0;
}
