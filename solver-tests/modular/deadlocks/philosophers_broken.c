// deadlock
// Three philosophers that eat for ever, all right-handed.
#define BROKEN
#include <pthread.h>
pthread_mutex_t forks[3] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
unsigned meals[3];
static void eat(int who, int first, int second) {
  while (1) {
    pthread_mutex_lock(&forks[first]);
    pthread_mutex_lock(&forks[second]);
    meals[who]++;
    pthread_mutex_unlock(&forks[second]);
    pthread_mutex_unlock(&forks[first]);
  }
}
static void *one(void *arg) { eat(0, 0, 1); return 0; }
static void *two(void *arg) { eat(1, 1, 2); return 0; }
#ifdef BROKEN
static void *three(void *arg) { eat(2, 2, 0); return 0; }
#else
static void *three(void *arg) { eat(2, 0, 2); return 0; }
#endif
int main(void) {
  pthread_t t, u, v;
  pthread_create(&t, 0, one, 0);
  pthread_create(&u, 0, two, 0);
  pthread_create(&v, 0, three, 0);
  pthread_exit(0);
}
