// A union hides the type of a pointer.
#include <pthread.h>
#include <stdlib.h>
union { int *p; unsigned long n; } u;
void *f(void *a) {
  *(int *)u.n = 1; // open
  return 0;
}
int main(void) {
  int x = 0;
  pthread_t t;
  u.p = &x;
  pthread_create(&t, 0, f, 0);
  x = 2; // open
  return 0;
}
