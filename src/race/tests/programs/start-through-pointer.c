// The routine of a thread is chosen at run time.
#include <pthread.h>
#include <stdlib.h>
int x, y;
extern int __VERIFIER_nondet_int(void);
void *f(void *a) {
  x = 1; // open
  return 0; }
void *g(void *a) {
  y = 1; // open
  return 0; }
int main(void) {
  void *(*start)(void *) = __VERIFIER_nondet_int() ? f : g;
  pthread_t t;
  pthread_create(&t, 0, start, 0);
  x = 2; // open
  y = 2; // open
  return 0;
}
