// expect: failed
// With 64 bits, two live objects may be the same in `int`.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
static int first;
static void *keep(void *arg) {
  first = (int)(long)malloc(8);
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, keep, 0);
  int second = (int)(long)malloc(8);
  pthread_join(t, 0);
  assert(first != second);
}
