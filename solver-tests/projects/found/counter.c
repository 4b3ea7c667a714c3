#include "counter.h"
#include <assert.h>
int counter;
void add(int n) { counter += n; }
void check(int expected) {
  assert(counter == expected); // violated
}
