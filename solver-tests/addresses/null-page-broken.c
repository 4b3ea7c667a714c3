// expect: failed
// Something may stand in the second page.
#include <assert.h>
#include <stdint.h>
static char global;
int main(void) {
  assert((uintptr_t)&global >= 8192);
}
