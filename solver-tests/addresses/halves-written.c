// expect: complete
// A pointer of which a half is written is made from a number, and leads to what lives there now.
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
static union { int *whole; uint32_t half[2]; } box;
static int *fresh;
static void *replace(void *arg) {
  free(box.whole);
  fresh = malloc(sizeof *fresh);
  *fresh = 1;
  return 0;
}
int main(void) {
  box.whole = malloc(sizeof *box.whole);
  pthread_t t;
  pthread_create(&t, 0, replace, 0);
  pthread_join(t, 0);
  uint32_t low = box.half[0];
  box.half[0] = low;
  if (fresh == box.whole) assert(*box.whole == 1);
}
