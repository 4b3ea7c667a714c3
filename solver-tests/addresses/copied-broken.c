// expect: failed
// Half of a pointer is copied by `memcpy` into bytes and back.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
static unsigned char box[8];
static void *get(void *arg) {
  void *p;
  memcpy(&p, box, sizeof p);
  return p;
}
int main(void) {
  int *p = malloc(sizeof *p);
  memcpy(box, &p, 4);
  pthread_t t;
  void *copy;
  pthread_create(&t, 0, get, 0);
  pthread_join(t, &copy);
  assert(copy == p);
}
