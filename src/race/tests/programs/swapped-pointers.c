// Pointers that an exchange puts into memory point where they did.
#include <pthread.h>
#include <stdlib.h>
int *p;
void *f(void *a) {
  *__atomic_load_n(&p, __ATOMIC_SEQ_CST) = 1; // open
  return 0; }
int main(void) {
  int x = 0, y = 0;
  int *none = 0;
  pthread_t t;
  __atomic_exchange_n(&p, &x, __ATOMIC_SEQ_CST);
  int *old = &x;
  __atomic_compare_exchange_n(&p, &old, &y, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
  pthread_create(&t, 0, f, 0);
  x = 2; // open
  y = 2; // open
  return 0;
}
