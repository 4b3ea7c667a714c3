// expect: complete
// The owner of a recursive lock is known by its handle, as long as it holds the lock.
#include <assert.h>
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_t owner;
static int depth, x;
static void lock(void) {
  if (depth > 0 && owner == pthread_self()) {
    depth++;
    return;
  }
  pthread_mutex_lock(&m);
  owner = pthread_self();
  depth = 1;
}
static void *work(void *arg) {
  lock();
  lock();
  x++;
  if (--depth + 1 == 2 && --depth == 0) pthread_mutex_unlock(&m);
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, work, 0);
  pthread_join(t, 0);
  pthread_create(&t, 0, work, 0);
  pthread_join(t, 0);
  assert(x == 2);
}
