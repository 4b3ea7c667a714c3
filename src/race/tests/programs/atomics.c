// Atomic accesses do not race with each other; with a plain one they do.
// says x: both atomic
#include <pthread.h>
#include <stdlib.h>
_Atomic int x, y;
int z;
void *f(void *a) {
  x++;
  z = __atomic_load_n(&z, __ATOMIC_RELAXED); // open
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  x = 1;
  z++; // open
  return 0;
}
