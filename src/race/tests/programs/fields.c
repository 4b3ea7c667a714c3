// Members of a structure are apart, an access of all overlaps with each.
#include <pthread.h>
#include <stdlib.h>
struct { int a, b; long c; } s, u;
void *f(void *p) {
  s.a = 1;
  s.b = 2; // open
  return 0; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  s.c = 1;
  ((char *)&s)[5] = 1; // open
  return 0;
}
