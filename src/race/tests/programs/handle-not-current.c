// A function that reads the handle before it creates the thread anew.
#include <pthread.h>
#include <stdlib.h>
int x;
pthread_t t;
void *f(void *a) {
  x++; // open
  return 0; }
void twice(void) {
  pthread_t old = t;
  pthread_create(&t, 0, f, 0);
  pthread_join(old, 0);
}
int main(void) {
  pthread_create(&t, 0, f, 0);
  twice();
  x = 1; // open
  return 0;
}
