// A thread that runs already may read the variable while the next thread's id gets there.
#include <pthread.h>
pthread_t t, copy;
void *f(void *a) { return a; }
void *g(void *a) {
  copy = t; // open
  return a;
}
int main(void) {
  pthread_t other;
  pthread_create(&other, 0, g, 0);
  pthread_create(&t, 0, f, 0); // open
  pthread_join(other, 0);
  return 0;
}
