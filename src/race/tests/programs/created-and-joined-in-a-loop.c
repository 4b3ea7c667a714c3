// Each thread of a loop is joined before the next is created.
#include <pthread.h>
#include <stdlib.h>
int x;
void *f(void *a) {
  x++; // open
  return 0; }
int main(void) {
  for (int i = 0; i < 3; i++) {
    pthread_t t;
    pthread_create(&t, 0, f, 0);
    x++; // open
    pthread_join(t, 0);
    x = 1;
  }
  return 0;
}
