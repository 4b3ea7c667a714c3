// expect: failed
// The handle of a thread that was joined may come back.
#include <assert.h>
#include <pthread.h>
static void *nothing(void *arg) { return 0; }
int main(void) {
  pthread_t s, t;
  pthread_create(&s, 0, nothing, 0);
  pthread_join(s, 0);
  pthread_create(&t, 0, nothing, 0);
  assert(!pthread_equal(s, t));
  pthread_join(t, 0);
}
