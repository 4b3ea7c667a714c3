// expect: failed
// Handles are compared as the numbers that they are.
#include <assert.h>
#include <pthread.h>
static void *nothing(void *arg) { return 0; }
int main(void) {
  pthread_t s, t;
  pthread_create(&s, 0, nothing, 0);
  pthread_join(s, 0);
  pthread_create(&t, 0, nothing, 0);
  assert(s != t);
  pthread_join(t, 0);
}
