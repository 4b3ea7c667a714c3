// The word changes before the wake, and is compared when the wait begins.
#include <limits.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <unistd.h>
atomic_int word;
void *wake(void *arg) {
  word = 1;
  syscall(SYS_futex, &word, FUTEX_WAKE, INT_MAX);
  return arg;
}
int main(void) {
  pthread_t other;
  pthread_create(&other, 0, wake, 0);
  while (!word)
    syscall(SYS_futex, &word, FUTEX_WAIT, 0, (void *)0, (void *)0, 0);
  pthread_join(other, 0);
}
