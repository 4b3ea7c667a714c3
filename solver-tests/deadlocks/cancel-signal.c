// A thread that is cancelled while it waits takes no signal from one that waits, too.
#include <pthread.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;
int waiting, woken;
void unlock(void *arg) {
  pthread_mutex_unlock(arg);
}
void *first(void *arg) {
  pthread_mutex_lock(&m);
  pthread_cleanup_push(unlock, &m);
  waiting++;
  pthread_cond_wait(&c, &m);
  if (!woken++)
    pthread_cond_signal(&c);
  pthread_cleanup_pop(1);
  return 0;
}
int main(void) {
  pthread_t one, two;
  pthread_create(&one, 0, first, 0);
  pthread_create(&two, 0, first, 0);
  pthread_mutex_lock(&m);
  if (waiting == 2) {
    pthread_cond_signal(&c);
    pthread_cancel(one);
    pthread_mutex_unlock(&m);
    pthread_join(one, 0);
    pthread_join(two, 0);
  }
  return 0;
}
