// safe
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <assert.h>

int total;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
void *worker(void *x) {
  int *a = NULL, n = 0, s = 0;
  for (int i = 0; i < 3; i++) {
    a = realloc(a, (n + 1) * sizeof *a);
    a[n++] = (int)(long)x + i;
  }
  for (int i = 0; i < n; i++)
    s += a[i];
  free(a);
  pthread_mutex_lock(&m);
  total += s;
  pthread_mutex_unlock(&m);
  return 0;
}
int main(void) {
  pthread_t x, y;
  pthread_create(&x, 0, worker, (void *)1L);
  pthread_create(&y, 0, worker, (void *)2L);
  pthread_join(x, 0);
  pthread_join(y, 0);
  assert(total == 15);
}
