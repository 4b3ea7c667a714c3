// proved
// A thread spins on a flag that another endless thread sets now and then.
#include <pthread.h>
#include <stdatomic.h>
atomic_int flag;
static void *waiter(void *arg) {
  while (1) {
    while (!flag)
      ;
    flag = 0;
  }
  return 0;
}
static void *setter(void *arg) {
  while (1) {
    if (!flag)
      flag = 1;
  }
  return 0;
}
int main(void) {
  pthread_t t, u;
  pthread_create(&t, 0, waiter, 0);
  pthread_create(&u, 0, setter, 0);
  pthread_join(t, 0);
  return 0;
}
