// Bit-fields side by side are one memory location, also where each is accessed by bytes of its own.
#include <pthread.h>
#include <stdlib.h>
struct { unsigned a : 8, b : 8; int : 0; unsigned c : 8; } s;
void *f(void *p) {
  s.a = 1; // open
  return 0; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  s.b = 1; // open
  s.c = 1;
  return 0;
}
