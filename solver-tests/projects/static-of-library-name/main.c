// complete
#include <assert.h>
#include <string.h>
int own(void);
int main(void) {
  assert(strlen("four") == 4 && own() == 7);
  return 0;
}
