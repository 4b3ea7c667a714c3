// proved
// A few attempts in any order, then both mutexes in one: who tries a mutex that is held does not own it.
#include <pthread.h>
pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
int crossings;
static void *walker(void *arg) {
  int side = arg != 0;
  pthread_mutex_t *x = side ? &a : &b, *y = side ? &b : &a;
  for (int tries = 0; tries < 2; tries++) {
    pthread_mutex_lock(x);
    if (pthread_mutex_trylock(y) == 0)
      goto taken;
    pthread_mutex_unlock(x);
  }
  pthread_mutex_lock(&a);
  pthread_mutex_lock(&b);
taken:
  crossings++;
  pthread_mutex_unlock(&b);
  pthread_mutex_unlock(&a);
  return 0;
}
int main(void) {
  pthread_t t, u;
  pthread_create(&t, 0, walker, 0);
  pthread_create(&u, 0, walker, &a);
  pthread_join(t, 0);
  pthread_join(u, 0);
  return 0;
}
