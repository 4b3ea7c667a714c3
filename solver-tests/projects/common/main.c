// complete
#include <assert.h>
int shared;
int table[];
void set(int);
int main(void) {
  set(3);
  assert(shared == 3 && table[1] == 3);
  return 0;
}
