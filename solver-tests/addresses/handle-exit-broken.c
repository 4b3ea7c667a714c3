// expect: failed
// A thread that detaches itself leaves its handle behind.
#include <assert.h>
#include <pthread.h>
static pthread_t first;
static void *leave(void *arg) { pthread_detach(pthread_self()); first = pthread_self(); pthread_exit(arg); }
static void *check(void *arg) { assert(arg == (void*)3); assert(!pthread_equal(pthread_self(), first)); return 0; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, leave, (void*)2);
  pthread_create(&t, 0, check, (void*)3);
  pthread_join(t, 0);
}
