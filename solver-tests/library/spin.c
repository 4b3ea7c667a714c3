// safe, reached
#include <pthread.h>
pthread_spinlock_t m;
int x, inside;
static void *routine(void *arg) {
  assert(pthread_spin_lock(&m) == 0);
  inside++;
  assert(inside == 1);
  x++;
  inside--;
  assert(pthread_spin_unlock(&m) == 0);
  return 0;
}
int main(void) {
  pthread_t a;
  assert(pthread_spin_init(&m, PTHREAD_PROCESS_PRIVATE) == 0);
  pthread_create(&a, 0, routine, 0);
  assert(pthread_spin_lock(&m) == 0);
  inside++;
  assert(inside == 1);
  x++;
  inside--;
  assert(pthread_spin_unlock(&m) == 0);
  pthread_join(a, 0);
  assert(x == 2);
  REACHED;
}
