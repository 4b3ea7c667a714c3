// A pointer is that of one object, or computed from that of another.
#include <pthread.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
unsigned long hidden;
int y;
void *f(void *a) {
  int *p = __VERIFIER_nondet_int() ? &y : (int *)(hidden ^ 0x5555);
  *p = 1; // open
  return 0;
}
int main(void) {
  int x = 0;
  pthread_t t;
  hidden = (unsigned long)&x ^ 0x5555;
  pthread_create(&t, 0, f, 0);
  x = 2; // open
  return 0;
}
