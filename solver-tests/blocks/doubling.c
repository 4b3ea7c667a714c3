// safe, not mu
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <assert.h>

int *a, n, cap = 1;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void push(int v) {
  pthread_mutex_lock(&m);
  if (n == cap) {
    cap *= 2;
    a = realloc(a, cap * sizeof(int));
  }
  a[n++] = v;
  pthread_mutex_unlock(&m);
}
void *worker(void *x) {
  push((int)(long)x);
  push((int)(long)x);
  return 0;
}
int main(void) {
  pthread_t x, y;
  a = malloc(sizeof(int));
  pthread_create(&x, 0, worker, (void *)1L);
  pthread_create(&y, 0, worker, (void *)2L);
  pthread_join(x, 0);
  pthread_join(y, 0);
  assert(n == 4 && cap == 4);
  assert(a[0] + a[1] + a[2] + a[3] == 6);
  free(a);
}
