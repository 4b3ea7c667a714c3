// The address of a local variable gets into a global.
// says main:y: not shared
#include <pthread.h>
#include <stdlib.h>
int *p;
void *f(void *a) {
  *p = 1; // open
  return 0; }
int main(void) {
  int x = 0, y = 0;
  int *q = &y;
  pthread_t t;
  p = &x;
  *q = 5;
  pthread_create(&t, 0, f, 0);
  x = 2; // open
  *q = 3;
  return x + y; // open
}
