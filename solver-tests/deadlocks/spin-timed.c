#include <pthread.h>
#include <time.h>

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
int ready;

/* A wait that ends by itself, again and again, changes nothing for another one on the same condition. */

void *polls(void *arg) {
  struct timespec until = {0, 0};
  pthread_mutex_lock(&mutex);
  while (!ready) // blocked
    pthread_cond_timedwait(&changed, &mutex, &until);
  pthread_mutex_unlock(&mutex);
  return arg;
}

void *waits(void *arg) {
  pthread_mutex_lock(&mutex);
  while (!ready)
    pthread_cond_wait(&changed, &mutex); // blocked
  pthread_mutex_unlock(&mutex);
  return arg;
}

int main(void) {
  pthread_t t[2];
  pthread_create(&t[0], 0, polls, 0);
  pthread_create(&t[1], 0, waits, 0);
  pthread_join(t[0], 0); // blocked
  pthread_join(t[1], 0);
  return 0;
}
