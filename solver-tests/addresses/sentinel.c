// expect: complete
// Addresses in the first page, and the last of all, mark what is no object.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#define BUSY ((int *)0x100)
#define CLOSED ((int *)-1)
static int *_Atomic slot = BUSY;
static void *fill(void *arg) {
  int *p = malloc(sizeof *p);
  *p = 3;
  slot = p;
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, fill, 0);
  int *seen = slot;
  if (seen != BUSY && seen != CLOSED) assert(*seen == 3);
  pthread_join(t, 0);
  seen = slot;
  assert(seen != BUSY && seen != CLOSED);
}
