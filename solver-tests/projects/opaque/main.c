// complete
#include <assert.h>
struct box;
struct box *make(int);
int get(struct box *);
int main(void) {
  assert(get(make(4)) == 4);
  return 0;
}
