// deadlock
// Two threads take two mutexes in opposite orders, beside a third that serves for ever.
#include <pthread.h>
pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER, c = PTHREAD_MUTEX_INITIALIZER;
unsigned shared, served;
static void *first(void *arg) {
  while (1) {
    pthread_mutex_lock(&a);
    pthread_mutex_lock(&b);
    shared++;
    pthread_mutex_unlock(&b);
    pthread_mutex_unlock(&a);
  }
  return 0;
}
static void *second(void *arg) {
  while (1) {
    pthread_mutex_lock(&b);
    pthread_mutex_lock(&a);
    shared++;
    pthread_mutex_unlock(&a);
    pthread_mutex_unlock(&b);
  }
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
  pthread_create(&t, 0, first, 0);
  pthread_create(&u, 0, second, 0);
  pthread_create(&v, 0, server, 0);
  pthread_join(t, 0);
  return 0;
}
