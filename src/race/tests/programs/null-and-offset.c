// A pointer is the sum of null and itself.
#include <pthread.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
char other;
long distance;
void *f(void *a) {
  char *base = __VERIFIER_nondet_int() ? &other : 0;
  *(base + distance) = 1; // open
  return 0; }
int main(void) {
  char x = 0;
  pthread_t t;
  distance = (long)&x;
  pthread_create(&t, 0, f, 0);
  x = 2; // open
  return 0;
}
