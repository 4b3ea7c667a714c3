// A pointer that travels as an integer, and with another one, points where it did.
#include <pthread.h>
#include <stdlib.h>
unsigned long key = 0x5555, hidden;
void *f(void *a) {
  int *p = (int *)(hidden ^ key);
  *p = 1; // open
  return 0;
}
int main(void) {
  int x = 0;
  pthread_t t;
  hidden = (unsigned long)&x ^ key;
  pthread_create(&t, 0, f, 0);
  x = 2; // open
  return 0;
}
