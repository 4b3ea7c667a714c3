// Two elements of an array of mutexes are two locks.
#include <pthread.h>
#include <stdlib.h>
int x;
pthread_mutex_t m[2];
void *f(void *a) {
  int i = *(int *)a;
  pthread_mutex_lock(&m[i]);
  x++; // open
  pthread_mutex_unlock(&m[i]);
  return 0;
}
int main(void) {
  pthread_t t;
  static int one = 1;
  static int zero = 0;
  pthread_create(&t, 0, f, &one);
  f(&zero);
  return 0;
}
