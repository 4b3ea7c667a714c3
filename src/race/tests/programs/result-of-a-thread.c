// What a thread returns is its own until then; who joins it gets it.
#include <pthread.h>
#include <stdlib.h>
int *global;
void *f(void *a) {
  int *p = malloc(sizeof *p);
  *p = 1;
  return p;
}
int main(void) {
  pthread_t t;
  void *r;
  pthread_create(&t, 0, f, 0);
  pthread_join(t, &r);
  *(int *)r = 2;
  return 0;
}
