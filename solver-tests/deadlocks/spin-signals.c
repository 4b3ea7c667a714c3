#include <pthread.h>
#include <stdatomic.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;
_Atomic int ended;

/* Two signals in one turn wake two threads, which is no turn without effect. */
void *wakes(void *arg) {
  while (ended < 2) {
    pthread_cond_signal(&c);
    pthread_cond_signal(&c);
  }
  return arg;
}

void *waits(void *arg) {
  pthread_mutex_lock(&m);
  pthread_cond_wait(&c, &m);
  pthread_mutex_unlock(&m);
  ended++;
  return arg;
}

int main(void) {
  pthread_t t[3];
  pthread_create(&t[0], 0, wakes, 0);
  pthread_create(&t[1], 0, waits, 0);
  pthread_create(&t[2], 0, waits, 0);
  pthread_join(t[0], 0);
  return 0;
}
