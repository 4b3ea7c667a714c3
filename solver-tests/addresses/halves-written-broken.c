// expect: bounded undefined
// A pointer of which another thread may write a half: if it does not, it is one to an object that has ended.
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
static union { int *whole; uint32_t half[2]; } box;
static int *fresh;
static void *write(void *arg) {
  uint32_t low = box.half[0];
  box.half[0] = low;
  return 0;
}
int main(void) {
  box.whole = malloc(sizeof *box.whole);
  pthread_t t;
  pthread_create(&t, 0, write, 0);
  free(box.whole);
  fresh = malloc(sizeof *fresh);
  *fresh = 1;
  if (fresh == box.whole) assert(*box.whole == 1);
  pthread_join(t, 0);
}
