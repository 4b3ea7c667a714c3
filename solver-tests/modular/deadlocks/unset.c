// deadlock
// A thread spins on a flag that nobody sets any more.
#include <pthread.h>
#include <stdatomic.h>
atomic_int flag, other;
static void *waiter(void *arg) {
  while (!flag)
    if (other)
      other = 0;
  return 0;
}
static void *setter(void *arg) {
  if (other)
    flag = 1;
  return 0;
}
int main(void) {
  pthread_t t, u;
  pthread_create(&t, 0, waiter, 0);
  pthread_create(&u, 0, setter, 0);
  pthread_join(t, 0);
  return 0;
}
