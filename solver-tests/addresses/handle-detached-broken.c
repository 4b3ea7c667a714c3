// expect: failed
// The handle of a detached thread may come back when the thread has ended.
#include <assert.h>
#include <pthread.h>
static void *nothing(void *arg) { return 0; }
int main(void) {
  pthread_t s, t;
  pthread_create(&s, 0, nothing, 0);
  pthread_detach(s);
  pthread_create(&t, 0, nothing, 0);
  assert(!pthread_equal(s, t));
  pthread_join(t, 0);
}
