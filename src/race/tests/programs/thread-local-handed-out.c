// The address of a thread's own variable is given to another thread.
// says other: not shared
#include <pthread.h>
#include <stdlib.h>
__thread int mine, other;
int *p;
void *f(void *a) {
  other = 1;
  *p = 1; // open
  return 0; }
int main(void) {
  pthread_t t;
  p = &mine;
  pthread_create(&t, 0, f, 0);
  mine = 2; // open
  other = 2;
  return 0;
}
