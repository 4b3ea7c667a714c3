// complete
#include <assert.h>
#include "small.h"
int other(int);
int main(void) {
  assert(twice(2) == 4 && other(3) == 6 && gnu(1) == 2);
  return 0;
}
