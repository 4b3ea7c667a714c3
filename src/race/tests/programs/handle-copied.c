// The join reads a copy of the handle, after which the variable got another one.
#include <pthread.h>
#include <stdlib.h>
int x;
pthread_once_t once = PTHREAD_ONCE_INIT;
pthread_t t;
void *f(void *a) {
  x = 2; // open
  return 0; }
void again(void) { pthread_create(&t, 0, f, 0); }
int main(void) {
  pthread_create(&t, 0, f, 0);
  pthread_t u = t;
  pthread_once(&once, again);
  pthread_join(u, 0);
  x = 1; // open
  return 0;
}
