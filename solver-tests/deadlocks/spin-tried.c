#include <pthread.h>

pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;

/* Gives the first lock back whenever the second is taken, which it is for ever. */
void *polite(void *arg) {
  pthread_mutex_lock(&a);
  while (pthread_mutex_trylock(&b)) { // blocked
    pthread_mutex_unlock(&a);
    pthread_mutex_lock(&a);
  }
  pthread_mutex_unlock(&b);
  pthread_mutex_unlock(&a);
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_mutex_lock(&b);
  pthread_create(&t, 0, polite, 0);
  pthread_join(t, 0); // blocked
  return 0;
}
