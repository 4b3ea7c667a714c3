// safe, reached
#include <pthread.h>
pthread_mutex_t m = PTHREAD_ADAPTIVE_MUTEX_INITIALIZER_NP;
int x, inside;
static void *routine(void *arg) {
  pthread_mutex_lock(&m);
  inside++;
  assert(inside == 1);
  x++;
  inside--;
  pthread_mutex_unlock(&m);
  return 0;
}
int main(void) {
  pthread_t a;
  ;;
  pthread_create(&a, 0, routine, 0);
  pthread_mutex_lock(&m);
  inside++;
  assert(inside == 1);
  x++;
  inside--;
  pthread_mutex_unlock(&m);
  pthread_join(a, 0);
  assert(x == 2);
  REACHED;
}
