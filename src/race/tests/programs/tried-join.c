// A join that does not wait may come through or not.
#include <pthread.h>
#include <stdlib.h>
int x;
extern int pthread_tryjoin_np(pthread_t, void **);
void *f(void *a) {
  x = 1; // open
  return 0; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  pthread_tryjoin_np(t, 0);
  x = 2; // open
  return 0;
}
