// safe, reached
#include <pthread.h>
// A thread exits from within; main exits and the others go on.
int x;
static void deep(void) { pthread_exit((void *)7); }
static void *routine(void *arg) { deep(); assert(0); return 0; }
static void *other(void *arg) {
  void *result;
  pthread_join(*(pthread_t *)arg, &result);
  assert(result == (void *)7);
  REACHED;
  return 0;
}
pthread_t id;
int main(void) {
  pthread_t second;
  pthread_create(&id, 0, routine, 0);
  pthread_create(&second, 0, other, &id);
  pthread_exit(0);
  assert(0);
}
