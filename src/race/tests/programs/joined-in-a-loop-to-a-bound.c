// The same up to a number that is not known.
// says x: ordered by creation or join
#include <pthread.h>
#include <stdlib.h>
int x;
extern int __VERIFIER_nondet_int(void);
void *f(void *a) {
  x++; // open
  return 0; }
int main(void) {
  int n = __VERIFIER_nondet_int();
  pthread_t *t = malloc(n * sizeof *t);
  int i;
  for (i = 0; i < n; i++)
    pthread_create(&t[i], 0, f, 0);
  for (i = 0; i < n; i++)
    pthread_join(t[i], 0);
  return x;
}
