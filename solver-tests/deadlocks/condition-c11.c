// The same with the names of C11: a signal is lost.
#include <pthread.h>
#include <threads.h>
mtx_t m;
cnd_t c;
void *first(void *arg) {
  mtx_lock(&m);
  cnd_wait(&c, &m);  // blocked
  mtx_unlock(&m);
  return 0;
}
int main(void) {
  pthread_t one;
  mtx_init(&m, mtx_recursive);
  cnd_init(&c);
  pthread_create(&one, 0, first, 0);
  cnd_broadcast(&c);
  pthread_join(one, 0);  // blocked
  return 0;
}
