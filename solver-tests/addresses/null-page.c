// expect: complete
// Nothing stands in the first page.
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
static char global;
int main(void) {
  int local;
  assert((uintptr_t)malloc(4) >= 4096);
  assert((uintptr_t)&global >= 4096);
  assert((uintptr_t)&local >= 4096);
  assert((uintptr_t)"" >= 4096);
}
