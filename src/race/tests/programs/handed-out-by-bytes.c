// A pointer that travels byte by byte points where it did.
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
char buffer[sizeof(int *)];
void *f(void *a) {
  int *p;
  for (unsigned i = 0; i < sizeof p; i++)
    ((char *)&p)[i] = buffer[i];
  *p = 1; // open
  return 0;
}
int main(void) {
  int x = 0, *p = &x;
  pthread_t t;
  for (unsigned i = 0; i < sizeof p; i++)
    buffer[i] = ((char *)&p)[i];
  pthread_create(&t, 0, f, 0);
  x = 2; // open
  return 0;
}
