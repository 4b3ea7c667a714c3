// safe
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <assert.h>

struct p { int key; char tag; long value; } *a;
int n;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
void *worker(void *x) {
  struct p own = {(int)(long)x, 'a', 7 * (long)x};
  pthread_mutex_lock(&m);
  a = realloc(a, (n + 1) * sizeof *a);
  a[n++] = own;
  pthread_mutex_unlock(&m);
  return 0;
}
int main(void) {
  pthread_t x, y;
  pthread_create(&x, 0, worker, (void *)1L);
  pthread_create(&y, 0, worker, (void *)2L);
  pthread_join(x, 0);
  pthread_join(y, 0);
  for (int i = 0; i < 2; i++)
    assert(a[i].value == 7 * a[i].key && a[i].tag == 'a');
  assert(a[0].key + a[1].key == 3);
  free(a);
}
