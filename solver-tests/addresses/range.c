// expect: complete
// The object around an address is found by the distance from its start.
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
static char *start[2];
static int find(const void *p) {
  for (int i = 0; i < 2; i++)
    if ((uintptr_t)p - (uintptr_t)start[i] < 32) return i;
  return -1;
}
static void *look(void *arg) {
  assert(find(arg) == 1);
  return 0;
}
int main(void) {
  start[0] = malloc(32);
  start[1] = malloc(32);
  pthread_t t;
  pthread_create(&t, 0, look, start[1]);
  assert(find(start[0] + 31) == 0 && find(start) == -1);
  pthread_join(t, 0);
}
