// The bound of the second loop is another value of the same variable.
#include <pthread.h>
#include <stdlib.h>
int x;
extern int __VERIFIER_nondet_int(void);
void *f(void *a) {
  x++; // open
  return 0; }
int main(void) {
  int n = 4;
  pthread_t t[4];
  for (int i = 0; i < n; i++)
    pthread_create(&t[i], 0, f, 0);
  n = __VERIFIER_nondet_int();
  for (int i = 0; i < n; i++)
    pthread_join(t[i], 0);
  return x; // open
}
