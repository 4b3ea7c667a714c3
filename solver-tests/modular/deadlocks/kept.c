// deadlock
// A thread ends with a mutex that another one wants, beside a third that serves for ever.
#include <pthread.h>
pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, c = PTHREAD_MUTEX_INITIALIZER;
unsigned served;
static void *keeper(void *arg) {
  pthread_mutex_lock(&a);
  return 0;
}
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
  pthread_t t, u, v;
  pthread_create(&t, 0, keeper, 0);
  pthread_create(&u, 0, wanter, 0);
  pthread_create(&v, 0, server, 0);
  pthread_exit(0);
}
