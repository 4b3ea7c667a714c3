// The routine of a once-control runs in whoever comes first.
#include <pthread.h>
#include <stdlib.h>
int x;
pthread_once_t once = PTHREAD_ONCE_INIT;
void init(void) {
  x = 1; // open
}
void *f(void *a) { pthread_once(&once, init); return 0; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  pthread_once(&once, init);
  return x; // open
}
