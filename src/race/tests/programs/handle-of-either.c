// Of two threads one is created, and joined whichever it is.
// says x: ordered by creation or join
#include <pthread.h>
#include <stdlib.h>
int x;
extern int __VERIFIER_nondet_int(void);
void *f(void *a) { x = 2; return 0; }
void *g(void *a) { x = 3; return 0; }
int main(void) {
  pthread_t t;
  if (__VERIFIER_nondet_int())
    pthread_create(&t, 0, f, 0);
  else
    pthread_create(&t, 0, g, 0);
  pthread_join(t, 0);
  x = 1;
  return 0;
}
