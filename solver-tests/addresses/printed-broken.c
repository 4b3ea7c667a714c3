// expect: failed
// An address as a text may have more than eight digits.
#include <assert.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
static int target;
int main(void) {
  char text[20];
  snprintf(text, sizeof text, "%lx", (unsigned long)(uintptr_t)&target);
  assert(strlen(text) <= 8);
}
