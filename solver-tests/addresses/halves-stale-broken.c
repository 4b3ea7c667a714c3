// expect: bounded undefined
// names: stale pointer
// A pointer that is also read in halves stays one to its object, and does not lead to what lives there now.
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
static union { int *whole; uint32_t half[2]; } box;
static void *look(void *arg) {
  assert(box.half[1] >> 15 == 0);
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, look, 0);
  box.whole = malloc(sizeof *box.whole);
  pthread_join(t, 0);
  free(box.whole);
  int *fresh = malloc(sizeof *fresh);
  *fresh = 1;
  if (fresh == box.whole) assert(*box.whole == 1);
}
