// deadlock
// A thread looks at a flag once, and waits for what it has seen.
#include <pthread.h>
#include <stdatomic.h>
extern void __selvedge_wait(int);
atomic_int flag;
static void *waiter(void *arg) {
  int seen = flag;
  __selvedge_wait(seen);
  return 0;
}
static void *setter(void *arg) {
  flag = 1;
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
