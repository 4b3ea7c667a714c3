// A mutex that counts is released at the first release, for all that is known.
#include <pthread.h>
#include <stdlib.h>
int x, y;
pthread_mutex_t m;
void *f(void *a) {
  pthread_mutex_lock(&m);
  pthread_mutex_lock(&m);
  x++;
  pthread_mutex_unlock(&m);
  y++; // open
  return 0;
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_mutexattr_t kind;
  pthread_mutexattr_init(&kind);
  pthread_mutexattr_settype(&kind, PTHREAD_MUTEX_RECURSIVE);
  pthread_mutex_init(&m, &kind);
  pthread_create(&t, 0, f, 0);
  f(0);
  return 0;
}
