// safe
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <assert.h>

int *a, n = 3;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
void *worker(void *x) {
  pthread_mutex_lock(&m);
  n--;
  a = realloc(a, n * sizeof *a);
  assert(a[n - 1] == n);
  pthread_mutex_unlock(&m);
  return 0;
}
int main(void) {
  pthread_t x, y;
  a = malloc(3 * sizeof *a);
  for (int i = 0; i < 3; i++)
    a[i] = i + 1;
  pthread_create(&x, 0, worker, 0);
  pthread_create(&y, 0, worker, 0);
  pthread_join(x, 0);
  pthread_join(y, 0);
  assert(n == 1 && a[0] == 1);
  free(a);
}
