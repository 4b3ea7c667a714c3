// safe, reached
#include <pthread.h>
#include <errno.h>
pthread_mutex_t m = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;
int main(void) {
  assert(pthread_cond_wait(&c, &m) == EPERM);
  pthread_mutex_lock(&m);
  assert(pthread_cond_wait(&c, &m) == 0);
  assert(pthread_mutex_unlock(&m) == 0);
  REACHED;
}
