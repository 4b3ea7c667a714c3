// expect: failed
// Twice the alignment that was asked for.
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
int main(void) {
  void *first = aligned_alloc(64, 64), *second = aligned_alloc(64, 64);
  assert((((uintptr_t)first | (uintptr_t)second) & 127) == 0);
}
