// expect: failed
// options: --32
// As a signed number, an address may be negative.
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
int main(void) {
  assert((intptr_t)malloc(24) > 0);
}
