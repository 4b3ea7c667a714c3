// complete
#include <assert.h>
#include "list.h"
int main(void) {
  struct node second = {2, 0}, first = {1, &second};
  visit f = sum;
  assert(f(&first) == 3);
  return 0;
}
