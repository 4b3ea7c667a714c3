// The mutex is held where the attempt has been successful.
// says x: both hold m
#include <pthread.h>
#include <stdlib.h>
int x, y;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
void *f(void *a) {
  if (pthread_mutex_trylock(&m) == 0) {
    x++;
    pthread_mutex_unlock(&m);
  }
  if (pthread_mutex_trylock(&m)) {
    y++; // open
  } else {
    x++;
    pthread_mutex_unlock(&m);
  }
  while (pthread_mutex_trylock(&m) != 0)
    ;
  x++;
  pthread_mutex_unlock(&m);
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  f(0);
  return 0;
}
