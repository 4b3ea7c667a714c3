// safe, reached
#include <pthread.h>
// Many readers, or one writer.
pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
int x, readers, both;
static void *write(void *arg) {
  assert(pthread_rwlock_wrlock(&l) == 0);
  assert(readers == 0);
  x = 1;
  x = 2;
  assert(pthread_rwlock_unlock(&l) == 0);
  return 0;
}
static void *look(void *arg) {
  assert(pthread_rwlock_rdlock(&l) == 0);
  __atomic_fetch_add(&readers, 1, 5);
  assert(x != 1);
  if (readers == 2)
    both = 1;
  __atomic_fetch_sub(&readers, 1, 5);
  assert(pthread_rwlock_unlock(&l) == 0);
  return 0;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, write, 0);
  pthread_create(&b, 0, look, 0);
  look(0);
  if (both) REACHED;
}
