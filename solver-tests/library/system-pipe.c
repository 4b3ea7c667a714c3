// safe, reached
#include <unistd.h>
int main(void) {
  int ends[2];
  if (pipe(ends) == 0)
    assert(ends[0] >= 0 && ends[0] != ends[1]);
  REACHED;
}
