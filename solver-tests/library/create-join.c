// safe, reached
#include <pthread.h>
// The argument goes in, the result comes out.
static void *routine(void *arg) { return (void *)((long)arg + 1); }
int main(void) {
  pthread_t id;
  void *result = 0;
  assert(pthread_create(&id, 0, routine, (void *)4) == 0);
  assert(!pthread_equal(id, pthread_self()));
  assert(pthread_equal(id, id));
  assert(pthread_join(id, &result) == 0);
  assert(result == (void *)5);
  REACHED;
}
