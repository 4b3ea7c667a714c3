// expect: failed
// The handle of a thread that was joined is kept to know the thread by.
#include <assert.h>
#include <pthread.h>
static pthread_t first;
static void *nothing(void *arg) { return 0; }
static void *check(void *arg) {
  assert(!pthread_equal(pthread_self(), first));
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&first, 0, nothing, 0);
  pthread_join(first, 0);
  pthread_create(&t, 0, check, 0);
  pthread_join(t, 0);
}
