// undefined
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <assert.h>

int **a, n;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
void *worker(void *x) {
  int *own = malloc(sizeof *own);
  *own = (int)(long)x;
  pthread_mutex_lock(&m);
  a = realloc(a, (n + 1) * sizeof *a);
  a[n++] = own;
  pthread_mutex_unlock(&m);
  free(own);
  return 0;
}
int main(void) {
  pthread_t x, y;
  pthread_create(&x, 0, worker, (void *)1L);
  pthread_create(&y, 0, worker, (void *)2L);
  pthread_join(x, 0);
  pthread_join(y, 0);
  assert(*a[0] + *a[1] == 3);
}
