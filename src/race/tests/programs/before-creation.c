// What the creator does before it creates a thread is ordered before all of that.
// says x: ordered by creation or join
#include <pthread.h>
#include <stdlib.h>
int x;
void *f(void *a) { x = 2; return 0; }
int main(void) {
  pthread_t t;
  x = 1;
  pthread_create(&t, 0, f, 0);
  return 0;
}
