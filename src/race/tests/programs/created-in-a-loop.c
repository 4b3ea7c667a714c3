// Threads that a loop creates run beside each other, and the join of the last joins one.
#include <pthread.h>
#include <stdlib.h>
int x;
void *f(void *a) {
  x++; // open
  return 0; }
int main(void) {
  pthread_t t;
  for (int i = 0; i < 3; i++)
    pthread_create(&t, 0, f, 0);
  pthread_join(t, 0);
  x = 1; // open
  return 0;
}
