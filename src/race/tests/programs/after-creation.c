// What the creator does meanwhile is not.
#include <pthread.h>
#include <stdlib.h>
int x;
void *f(void *a) {
  x = 2; // open
  return 0; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  x = 1; // open
  return 0;
}
