// expect: bounded undefined
// The handle of a thread that was joined is that of another one now; it is not to be used.
#include <assert.h>
#include <pthread.h>
static void *nothing(void *arg) { return 0; }
int main(void) {
  pthread_t s, t;
  pthread_create(&s, 0, nothing, 0);
  pthread_join(s, 0);
  pthread_create(&t, 0, nothing, 0);
  if (pthread_equal(s, t)) pthread_join(s, 0);
  else pthread_join(t, 0);
}
