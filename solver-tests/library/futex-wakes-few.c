// safe, reached
// No more than asked for, and nobody twice.
#include <linux/futex.h>
#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>
int word;
void *wait_for(void *arg) {
  syscall(SYS_futex, &word, FUTEX_WAIT, 0, (void *)0, (void *)0, 0);
  return arg;
}
int main(void) {
  pthread_t one;
  pthread_create(&one, 0, wait_for, 0);
  long first = syscall(SYS_futex, &word, FUTEX_WAKE, 1), next = syscall(SYS_futex, &word, FUTEX_WAKE, 1);
  assert(first + next <= 1);
  if (first)
    pthread_join(one, 0);
  REACHED;
}
