// complete
#include <assert.h>
int count_up(void);
static int count = 10;
static int step(void) { return 1; }
int main(void) {
  count += step();
  assert(count == 11 && count_up() == 2);
  return 0;
}
