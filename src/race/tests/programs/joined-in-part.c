// An iteration may go on without a join.
#include <pthread.h>
#include <stdlib.h>
int x;
extern int __VERIFIER_nondet_int(void);
void *f(void *a) {
  x++; // open
  return 0; }
int main(void) {
  pthread_t t[4];
  for (int i = 0; i < 4; i++)
    pthread_create(&t[i], 0, f, 0);
  for (int i = 0; i < 4; i++) {
    if (__VERIFIER_nondet_int())
      continue;
    pthread_join(t[i], 0);
  }
  return x; // open
}
