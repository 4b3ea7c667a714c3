// safe, reached
// A lock whose word says that it is free, taken, or taken while others wait.
#include <linux/futex.h>
#include <stdatomic.h>
#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>
atomic_int word;
int inside;
long futex(atomic_int *at, int op, int value) { return syscall(SYS_futex, at, op, value, (void *)0, (void *)0, 0); }
void *work(void *arg) {
  int free = 0;
  if (!atomic_compare_exchange_strong(&word, &free, 1))
    while (atomic_exchange(&word, 2) != 0)
      futex(&word, FUTEX_WAIT_PRIVATE, 2);
  inside++;
  assert(inside == 1);
  inside--;
  if (atomic_exchange(&word, 0) == 2)
    futex(&word, FUTEX_WAKE_PRIVATE, 1);
  return arg;
}
int main(void) {
  pthread_t other;
  pthread_create(&other, 0, work, 0);
  work(0);
  pthread_join(other, 0);
  REACHED;
}
