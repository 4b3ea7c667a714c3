// A function without a body gets a pointer: nothing is known.
#include <pthread.h>
#include <stdlib.h>
extern void unknown(int *p);
int x;
int main(void) {
  unknown(&x);
  x = 1; // refused
  return 0;
}
