#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

atomic_int done;
int ready;
pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t con = PTHREAD_COND_INITIALIZER;

/* Whom a signal wakes is a choice, and two make more choices than are tried. Where nobody waits any more, there is none. */

void *announces(void *arg) {
  pthread_mutex_lock(&a);
  ready = 1;
  pthread_mutex_unlock(&a);
  pthread_cond_broadcast(&con);
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, announces, 0);
  pthread_mutex_lock(&a);
  while (!ready) {
    struct timespec until = {0};
    pthread_cond_timedwait(&con, &a, &until);
  }
  pthread_mutex_unlock(&a);
  while (!done) { // blocked
    pthread_cond_signal(&con);
    pthread_cond_signal(&con);
  }
  return 0;
}
