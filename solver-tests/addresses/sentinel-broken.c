// expect: failed
// An object may stand where the program's mark for no object points.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#define BUSY ((int *)0xDEAD0000)
static int *_Atomic slot = BUSY;
static void *fill(void *arg) {
  slot = malloc(sizeof(int));
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, fill, 0);
  pthread_join(t, 0);
  assert(slot != BUSY);
}
