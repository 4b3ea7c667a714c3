// safe, reached
#include <pthread.h>
// Every thread has its own value of every key.
pthread_key_t one, two;
int a, b;
static void *routine(void *arg) {
  assert(pthread_getspecific(one) == 0);
  assert(pthread_setspecific(one, arg) == 0);
  assert(pthread_setspecific(two, &two) == 0);
  assert(pthread_getspecific(one) == arg);
  return 0;
}
int main(void) {
  pthread_t id;
  assert(pthread_key_create(&one, 0) == 0);
  assert(pthread_key_create(&two, 0) == 0);
  pthread_setspecific(one, &a);
  pthread_create(&id, 0, routine, &b);
  pthread_join(id, 0);
  assert(pthread_getspecific(one) == &a);
  assert(pthread_getspecific(two) == 0);
  assert(pthread_key_delete(one) == 0);
  REACHED;
}
