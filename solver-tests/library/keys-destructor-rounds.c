// safe, reached
#include <pthread.h>
// A destructor that sets the value again is called again, a few times.
#include <limits.h>
pthread_key_t key;
int rounds;
static void destroy(void *value) { rounds++; pthread_setspecific(key, value); }
static void *routine(void *arg) { pthread_setspecific(key, &key); return 0; }
int main(void) {
  pthread_t id;
  pthread_key_create(&key, destroy);
  pthread_create(&id, 0, routine, 0);
  pthread_join(id, 0);
  assert(rounds == PTHREAD_DESTRUCTOR_ITERATIONS);
  REACHED;
}
