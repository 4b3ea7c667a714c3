#include <assert.h>
extern int hidden(void);
int main(void) {
  assert(hidden() == 1); // violated
  return 0;
}
