// Threads of one creator, the one joined before the other is created.
// says x: ordered by creation or join
#include <pthread.h>
#include <stdlib.h>
int x, y;
void *f(void *a) { x = 2;
  y = 2; // open
  return 0; }
void *g(void *a) { x = 3; return 0; }
void *h(void *a) {
  y = 3; // open
  return 0; }
int main(void) {
  pthread_t t, u, v;
  pthread_create(&v, 0, h, 0);
  pthread_create(&t, 0, f, 0);
  pthread_join(t, 0);
  pthread_create(&u, 0, g, 0);
  return 0;
}
