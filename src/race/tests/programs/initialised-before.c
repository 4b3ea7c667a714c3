// A mutex that is initialised before there are others protects.
// says x: both hold m
#include <pthread.h>
#include <stdlib.h>
int x;
pthread_mutex_t m;
void *f(void *a) {
  pthread_mutex_lock(&m);
  x++;
  pthread_mutex_unlock(&m);
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_mutex_init(&m, 0);
  pthread_create(&t, 0, f, 0);
  f(0);
  return 0;
}
