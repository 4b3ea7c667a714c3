// The object of the last iteration is known already.
#include <pthread.h>
#include <stdlib.h>
int *last;
void *f(void *a) {
  int *p = 0;
  for (int i = 0; i < 3; i++) {
    int *n = malloc(sizeof *n);
    if (p)
      *p = 1; // open
    last = n; // open
    p = n;
  }
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  return *last; // open
}
