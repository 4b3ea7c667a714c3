// expect: complete
// The handle of a detached thread does not come back while the thread runs.
#include <assert.h>
#include <pthread.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static void *wait(void *arg) {
  pthread_mutex_lock(&lock);
  return 0;
}
static void *nothing(void *arg) { return 0; }
int main(void) {
  pthread_t s, t;
  pthread_mutex_lock(&lock);
  pthread_create(&s, 0, wait, 0);
  pthread_detach(s);
  pthread_create(&t, 0, nothing, 0);
  assert(!pthread_equal(s, t));
  pthread_mutex_unlock(&lock);
  pthread_join(t, 0);
}
