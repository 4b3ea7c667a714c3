// expect: complete
// A pointer is copied byte by byte; the upper two bytes are 0.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
static unsigned char box[8];
static void *set(void *arg) {
  int *p;
  for (int i = 0; i < 8; i++) ((unsigned char *)&p)[i] = box[i];
  *p = 5;
  return 0;
}
int main(void) {
  int *p = malloc(sizeof *p);
  for (int i = 0; i < 6; i++) box[i] = ((unsigned char *)&p)[i];
  pthread_t t;
  pthread_create(&t, 0, set, 0);
  pthread_join(t, 0);
  assert(*p == 5);
}
