// expect: complete
// Threads let an array of pointers grow, wherever it goes; what it points to stays.
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int **a, n, x, y;
static void *push(void *arg) {
  pthread_mutex_lock(&m);
  a = realloc(a, (n + 1) * sizeof *a);
  a[n++] = arg;
  if ((uintptr_t)a % 16 == 0)
    ++*a[0];
  pthread_mutex_unlock(&m);
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, push, &x);
  push(&y);
  pthread_join(t, 0);
  assert(x + y == 2 && a[0] != a[1]);
}
