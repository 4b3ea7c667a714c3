// A local of a function that calls itself is several objects.
#include <pthread.h>
#include <stdlib.h>
int *p;
void *f(void *a) {
  *p = 1; // open
  return 0; }
int deep(int n) {
  int x = n;
  pthread_t t;
  if (n == 0) {
    pthread_create(&t, 0, f, 0);
    return 0;
  }
  p = &x;
  deep(n - 1);
  x = 2; // open
  return x; // open
}
int main(void) { return deep(1); }
