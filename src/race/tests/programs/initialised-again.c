// A mutex that is initialised while it is held protects nothing.
#include <pthread.h>
#include <stdlib.h>
int x;
pthread_mutex_t m;
void *f(void *a) {
  pthread_mutex_init(&m, 0);
  pthread_mutex_lock(&m);
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
