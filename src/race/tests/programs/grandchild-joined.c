// A thread that is joined has joined the one that it created.
// says x: ordered by creation or join
#include <pthread.h>
#include <stdlib.h>
int x;
void *g(void *a) { x = 2; return 0; }
void *f(void *a) {
  pthread_t u;
  pthread_create(&u, 0, g, 0);
  pthread_join(u, 0);
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  pthread_join(t, 0);
  x = 1;
  return 0;
}
