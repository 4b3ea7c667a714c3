// proved
// Two threads that give back what they hold if the other mutex is taken: they may go on so for ever, but are not blocked.
#include <pthread.h>
pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
int shared;
static void both(pthread_mutex_t *mine, pthread_mutex_t *other) {
  while (1) {
    pthread_mutex_lock(mine);
    if (pthread_mutex_trylock(other) == 0)
      break;
    pthread_mutex_unlock(mine);
  }
  shared++;
  pthread_mutex_unlock(other);
  pthread_mutex_unlock(mine);
}
static void *first(void *arg) { both(&a, &b); return 0; }
static void *second(void *arg) { both(&b, &a); return 0; }
int main(void) {
  pthread_t t, u;
  pthread_create(&t, 0, first, 0);
  pthread_create(&u, 0, second, 0);
  pthread_join(t, 0);
  pthread_join(u, 0);
  return 0;
}
