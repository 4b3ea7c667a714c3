// A function that creates and joins is called twice.
// says x: ordered by creation or join
#include <pthread.h>
#include <stdlib.h>
int x;
void *f(void *a) { x++; return 0; }
void run(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  pthread_join(t, 0);
}
int main(void) {
  run();
  x = 1;
  run();
  return x;
}
