// expect: complete
// A pointer that is kept as an integer, and is also read in halves, leads to what lives there now.
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
static union { uintptr_t whole; uint32_t half[2]; } box;
static void *look(void *arg) {
  assert(box.half[1] >> 15 == 0);
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, look, 0);
  box.whole = (uintptr_t)malloc(sizeof(int));
  pthread_join(t, 0);
  free((int *)box.whole);
  int *fresh = malloc(sizeof *fresh);
  *fresh = 1;
  if (fresh == (int *)box.whole) assert(*(int *)box.whole == 1);
}
