// unsafe
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <assert.h>

struct list { int n; int *a; } l;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
void *worker(void *x) {
  for (int i = 0; i < 2; i++) {
    pthread_mutex_lock(&m);
    l.a = realloc(l.a, sizeof *l.a * (l.n + 1));
    int at = l.n++;
    pthread_mutex_unlock(&m);
    int *p = l.a;
    pthread_mutex_lock(&m);
    if (p == l.a) p[at] = (int)(long)x;
    pthread_mutex_unlock(&m);
  }
  return 0;
}
int main(void) {
  pthread_t x, y;
  pthread_create(&x, 0, worker, (void *)1L);
  pthread_create(&y, 0, worker, (void *)2L);
  pthread_join(x, 0);
  pthread_join(y, 0);
  assert(l.a[0] != 1 || l.a[1] == 1 || l.a[1] == 2);
}
