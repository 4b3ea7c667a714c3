// complete
#include <assert.h>
int chosen(void);
int default_only(void);
extern int level;
int main(void) {
  assert(chosen() == 2 && default_only() == 1 && level == 5);
  return 0;
}
