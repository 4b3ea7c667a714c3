// unsafe
// A waiter is moved, and is woken at the other word.
#include <linux/futex.h>
#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>
int word, other;
void *wait_for(void *arg) {
  syscall(SYS_futex, &word, FUTEX_WAIT, 0, (void *)0, (void *)0, 0);
  return arg;
}
int main(void) {
  pthread_t one;
  pthread_create(&one, 0, wait_for, 0);
  long moved = syscall(SYS_futex, &word, FUTEX_CMP_REQUEUE, 0, 1L, &other, 0);
  long here = syscall(SYS_futex, &word, FUTEX_WAKE, 1), there = syscall(SYS_futex, &other, FUTEX_WAKE, 1);
  assert(!(moved == 1 && there == 1));
  if (moved == 1)
    __VERIFIER_assume(here == 0);
}
