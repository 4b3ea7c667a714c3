// A function that is called releases the mutex and takes it again.
#include <pthread.h>
#include <stdlib.h>
int x;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
void pause_here(void) {
  pthread_mutex_unlock(&m);
  x++; // open
  pthread_mutex_lock(&m);
}
void *f(void *a) {
  pthread_mutex_lock(&m);
  x++; // open
  pause_here();
  x++; // open
  pthread_mutex_unlock(&m);
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  f(0);
  return 0;
}
