// The loop of joins counts in another way on the side.
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
    pthread_join(t[i], 0);
    if (__VERIFIER_nondet_int())
      i = 3;
  }
  return x; // open
}
