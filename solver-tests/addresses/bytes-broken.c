// expect: failed
// A pointer is copied byte by byte, and a byte is forgotten.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
static unsigned char box[8];
static void *get(void *arg) {
  void *p;
  for (int i = 0; i < 8; i++) ((unsigned char *)&p)[i] = box[i];
  return p;
}
int main(void) {
  int *p = malloc(sizeof *p);
  for (int i = 0; i < 5; i++) box[i] = ((unsigned char *)&p)[i];
  pthread_t t;
  void *copy;
  pthread_create(&t, 0, get, 0);
  pthread_join(t, &copy);
  assert(copy == p);
}
