// The handle of another thread is joined: the variable was written by hand.
#include <pthread.h>
#include <stdlib.h>
int x;
void *f(void *a) {
  x = 2; // open
  return 0; }
void *g(void *a) { return 0; }
int main(void) {
  pthread_t t, u;
  pthread_create(&t, 0, f, 0);
  pthread_create(&u, 0, g, 0);
  t = u;
  pthread_join(t, 0);
  x = 1; // open
  return 0;
}
