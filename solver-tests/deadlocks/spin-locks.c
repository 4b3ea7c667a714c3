#include <pthread.h>
#include <stdatomic.h>

pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
_Atomic int never;

/* Loops that take the same locks, one after the other and one in the other, get in each other's way for a while only. */

void *one(void *arg) {
  while (!never) { // blocked
    pthread_mutex_lock(&a);
    pthread_mutex_unlock(&a);
    pthread_mutex_lock(&b);
    pthread_mutex_unlock(&b);
  }
  return arg;
}

void *other(void *arg) {
  while (!never) { // blocked
    pthread_mutex_lock(&b);
    pthread_mutex_lock(&a);
    pthread_mutex_unlock(&a);
    pthread_mutex_unlock(&b);
  }
  return arg;
}

int main(void) {
  pthread_t t[2];
  pthread_create(&t[0], 0, one, 0);
  pthread_create(&t[1], 0, other, 0);
  pthread_join(t[0], 0); // blocked
  pthread_join(t[1], 0);
  return 0;
}
