// unsafe
// What a move reads is read before anything is written, also what only its own thread looks at.
#include <assert.h>
#include <pthread.h>
#include <string.h>
long v[1100];
long seen;
void *worker(void *x) {
  memmove(&v[1], &v[0], 1024 * sizeof(long));
  return 0;
}
int main(void) {
  pthread_t t;
  v[1] = 7;
  pthread_create(&t, 0, worker, 0);
  seen = v[2];
  pthread_join(t, 0);
  assert(seen != 7);
  return 0;
}
