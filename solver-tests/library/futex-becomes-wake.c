// unsafe
// A function that waits as its callers say, but for one value, with which it wakes: how many it woke is seen.
#include <linux/futex.h>
#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>
int word;
long futex(int *at, int op, int value) {
  if (value == 1)
    op = FUTEX_WAKE;
  return syscall(SYS_futex, at, op, value, (void *)0, (void *)0, 0);
}
void *wait_for(void *arg) {
  futex(&word, FUTEX_WAIT, 0);
  return arg;
}
int main(void) {
  pthread_t other;
  pthread_create(&other, 0, wait_for, 0);
  assert(futex(&word, FUTEX_WAIT, 1) != 1);
}
