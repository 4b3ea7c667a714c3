// expect: complete
// An alignment that is asked for holds.
#include <assert.h>
#include <stdalign.h>
#include <stdint.h>
#include <stdlib.h>
static alignas(64) char line[10];
int main(void) {
  alignas(32) char local[3];
  void *page;
  if (posix_memalign(&page, 4096, 8)) return 0;
  assert(((uintptr_t)aligned_alloc(64, 128) & 63) == 0);
  assert(((uintptr_t)line & 63) == 0);
  assert(((uintptr_t)local & 31) == 0);
  assert(((uintptr_t)page & 4095) == 0);
}
