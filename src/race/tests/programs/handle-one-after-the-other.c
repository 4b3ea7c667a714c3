// One variable holds the handles of two threads, one after the other.
// says x: ordered by creation or join
#include <pthread.h>
#include <stdlib.h>
int x;
void *f(void *a) { x = 2; return 0; }
void *g(void *a) { x = 3; return 0; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  pthread_join(t, 0);
  pthread_create(&t, 0, g, 0);
  pthread_join(t, 0);
  x = 1;
  return 0;
}
