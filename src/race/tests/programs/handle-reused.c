// One variable holds the handles of two threads that may both be there.
#include <pthread.h>
#include <stdlib.h>
int x;
void *f(void *a) {
  x = 2; // open
  return 0; }
void *g(void *a) { return 0; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  pthread_create(&t, 0, g, 0);
  pthread_join(t, 0);
  x = 1; // open
  return 0;
}
