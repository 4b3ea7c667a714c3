// deadlock
// Main joins, with a mutex in its hands, a thread that wants it, beside a third that serves for ever.
#include <pthread.h>
pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, c = PTHREAD_MUTEX_INITIALIZER;
unsigned served;
static void *wanter(void *arg) {
  pthread_mutex_lock(&a);
  pthread_mutex_unlock(&a);
  return 0;
}
static void *server(void *arg) {
  while (1) {
    pthread_mutex_lock(&c);
    served++;
    pthread_mutex_unlock(&c);
  }
  return 0;
}
int main(void) {
  pthread_t t, u;
  pthread_mutex_lock(&a);
  pthread_create(&t, 0, wanter, 0);
  pthread_create(&u, 0, server, 0);
  pthread_join(t, 0);
  pthread_mutex_unlock(&a);
  return 0;
}
