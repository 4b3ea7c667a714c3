// expect: failed
// Threads leave marks in a table by their handles.
#include <assert.h>
#include <pthread.h>
static char seen[4096];
static void *mark(void *arg) {
  assert(!seen[pthread_self() >> 4 & 4095]);
  seen[pthread_self() >> 4 & 4095] = 1;
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, mark, 0);
  pthread_join(t, 0);
  pthread_create(&t, 0, mark, 0);
  pthread_join(t, 0);
}
