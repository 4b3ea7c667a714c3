// Pointers in a block that is copied point where they did.
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
int *from[2000], *to[2000];
void *f(void *a) {
  *to[1500] = 1; // open
  return 0; }
int main(void) {
  int x = 0;
  pthread_t t;
  from[1500] = &x;
  memcpy(to, from, sizeof to);
  pthread_create(&t, 0, f, 0);
  x = 2; // open
  return 0;
}
