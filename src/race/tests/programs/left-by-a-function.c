// A function leaves its thread behind; a later call joins what an earlier one did not.
#include <pthread.h>
#include <stdlib.h>
int x;
extern int __VERIFIER_nondet_int(void);
void *f(void *a) {
  x++; // open
  return 0; }
void run(int create) {
  pthread_t t;
  if (create)
    pthread_create(&t, 0, f, 0);
  else
    pthread_join(t, 0);
}
int main(void) {
  run(1);
  run(0);
  x = 1; // open
  return 0;
}
