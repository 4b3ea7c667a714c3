// A volatile access is not atomic.
#include <pthread.h>
#include <stdlib.h>
volatile int x;
void *f(void *a) {
  x = 1; // open
  return 0; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  return x; // open
}
