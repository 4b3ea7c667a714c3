// undefined
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <assert.h>

int *a, n;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
void *worker(void *x) {
  pthread_mutex_lock(&m);
  int *mine = a;
  pthread_mutex_unlock(&m);
  pthread_mutex_lock(&m);
  a = realloc(a, (n + 2) * sizeof *a);
  n++;
  a[n] = 1;
  mine[0] = 1;
  pthread_mutex_unlock(&m);
  return 0;
}
int main(void) {
  pthread_t x;
  a = malloc(sizeof *a);
  a[0] = 5;
  pthread_create(&x, 0, worker, 0);
  pthread_join(x, 0);
  assert(a[0] == 5);
}
