// safe, reached
#include <pthread.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int x, inside;
static void *routine(void *arg) {
  assert(pthread_mutex_lock(&m) == 0);
  inside++;
  assert(inside == 1);
  x++;
  inside--;
  assert(pthread_mutex_unlock(&m) == 0);
  return 0;
}
int main(void) {
  pthread_t a;
  assert(pthread_mutex_init(&m, 0) == 0);
  pthread_create(&a, 0, routine, 0);
  assert(pthread_mutex_lock(&m) == 0);
  inside++;
  assert(inside == 1);
  x++;
  inside--;
  assert(pthread_mutex_unlock(&m) == 0);
  pthread_join(a, 0);
  assert(x == 2);
  REACHED;
}
