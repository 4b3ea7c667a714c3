// deadlock
// A thread spins until it sees two flags at once, of which one is set for a moment only.
#include <pthread.h>
#include <stdatomic.h>
atomic_int first, second;
static void *waiter(void *arg) {
  while (!second || !first)
    ;
  return 0;
}
static void *setter(void *arg) {
  first = 1;
  second = 1;
  first = 0;
  return 0;
}
int main(void) {
  pthread_t t, u;
  pthread_create(&t, 0, waiter, 0);
  pthread_create(&u, 0, setter, 0);
  pthread_join(t, 0);
  pthread_join(u, 0);
  return 0;
}
