// safe, reached
#include <pthread.h>
// Joins and sleeps are cancellation points, locks are none.
#include <unistd.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int x, go;
static void *forever(void *arg) { __VERIFIER_assume(0); return 0; }
static void *joins(void *arg) { pthread_join(*(pthread_t *)arg, 0); assert(0); return 0; }
static void *sleeps(void *arg) {
  __VERIFIER_assume(go);
  pthread_mutex_lock(&m);
  pthread_mutex_unlock(&m);
  x = 1;
  sleep(1);
  assert(0);
  return 0;
}
pthread_t id;
int main(void) {
  pthread_t a, b;
  void *result;
  pthread_create(&id, 0, forever, 0);
  pthread_create(&a, 0, joins, &id);
  pthread_cancel(a);
  pthread_join(a, &result);
  assert(result == PTHREAD_CANCELED);
  pthread_create(&b, 0, sleeps, 0);
  pthread_cancel(b);
  go = 1;
  pthread_join(b, &result);
  assert(result == PTHREAD_CANCELED && x == 1);
  REACHED;
}
