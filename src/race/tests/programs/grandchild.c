// A thread that is joined has left one behind.
#include <pthread.h>
#include <stdlib.h>
int x;
void *g(void *a) {
  x = 2; // open
  return 0; }
void *f(void *a) {
  pthread_t u;
  pthread_create(&u, 0, g, 0);
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  pthread_join(t, 0);
  x = 1; // open
  return 0;
}
