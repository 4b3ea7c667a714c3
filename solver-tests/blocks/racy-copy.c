// unsafe
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <assert.h>

int *a;
void *worker(void *x) {
  if ((long)x == 1) {
    int *p = realloc(a, 4 * sizeof *a);
    assert(p[0] >= p[3 - 1]);
  } else {
    int *p = a;
    p[0] = 1;
    p[2] = 1;
  }
  return 0;
}
int main(void) {
  pthread_t x, y;
  a = calloc(3, sizeof *a);
  pthread_create(&x, 0, worker, (void *)1L);
  pthread_create(&y, 0, worker, (void *)2L);
  pthread_join(x, 0);
  pthread_join(y, 0);
}
