// expect: complete
// A pointer is copied by `memcpy` into bytes and back.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
static unsigned char box[12];
static void *set(void *arg) {
  int *p;
  memcpy(&p, box + 3, sizeof p);
  *p = 5;
  return 0;
}
int main(void) {
  int *p = malloc(sizeof *p);
  memcpy(box + 3, &p, sizeof p);
  pthread_t t;
  pthread_create(&t, 0, set, 0);
  pthread_join(t, 0);
  assert(*p == 5);
}
