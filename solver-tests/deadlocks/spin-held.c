#include <pthread.h>

pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER;

/* A mutex is held for ever: loops that try it get it no more than who waits for it, and so change nothing. */

void *waits(void *arg) {
  pthread_mutex_lock(&a); // blocked
  pthread_mutex_unlock(&a);
  return arg;
}

void *tries(void *arg) {
  while (pthread_mutex_trylock(&a)) { // blocked
  }
  pthread_mutex_unlock(&a);
  return arg;
}

int main(void) {
  pthread_t t[3];
  pthread_mutex_lock(&a);
  pthread_create(&t[0], 0, waits, 0);
  pthread_create(&t[1], 0, tries, 0);
  pthread_create(&t[2], 0, tries, 0);
  pthread_join(t[0], 0); // blocked
  return 0;
}
