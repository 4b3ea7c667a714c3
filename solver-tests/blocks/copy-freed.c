// undefined
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
long *p;
int seen;
void *worker(void *x) {
  while (!__atomic_load_n(&seen, __ATOMIC_SEQ_CST)) {}
  free(p);
  return 0;
}
long own[1024], sum;
int main(void) {
  pthread_t t;
  p = calloc(1024, sizeof *p);
  pthread_create(&t, 0, worker, 0);
  __atomic_store_n(&seen, 1, __ATOMIC_SEQ_CST);
  memcpy(own, p, sizeof own);
  assert(own[1000] == 0);
}
