// violated
// What main alone does after more moves than are unrolled is seen by the search over states as well.
#include <assert.h>
unsigned b;
int main(void) {
  unsigned i = 0;
  for (; i < 420; i++)
    b = 0x01010101;
  assert(i != 420);
  return 0;
}
