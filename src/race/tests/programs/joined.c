// A join ends the thread whose handle the variable holds.
// says x: ordered by creation or join
#include <pthread.h>
#include <stdlib.h>
int x;
void *f(void *a) { x = 2; return 0; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  pthread_join(t, 0);
  x = 1;
  return 0;
}
