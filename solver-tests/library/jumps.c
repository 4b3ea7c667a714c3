// unsupported
#include <setjmp.h>
// A place to jump to is harmless until somebody jumps.
jmp_buf place;
int main(void) {
  if (setjmp(place) == 0)
    longjmp(place, 1);
  assert(0);
}
