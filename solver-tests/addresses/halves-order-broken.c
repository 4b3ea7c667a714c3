// expect: failed
// schemes: order
// options: --memory-model pso
// Halves of a word that holds a pointer are written one after the other, and get to memory in any order.
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
static int target;
static union { int *whole; uint32_t half[2]; } box;
static void *write(void *arg) {
  box.whole = &target;
  box.half[0] = 1;
  box.half[1] = 1u << 31;
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, write, 0);
  uint32_t high = box.half[1], low = box.half[0];
  assert(!(high >> 31) || low == 1);
  pthread_join(t, 0);
  assert(box.whole != &target);
}
