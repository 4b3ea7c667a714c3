// complete
#include <assert.h>
int plus_one(int);
int also_plus_one(int);
int main(void) {
  assert(plus_one(1) == 2 && also_plus_one(2) == 3);
  return 0;
}
