// The word does not say what has been done: a thread that waits behind the wake waits for ever.
#include <limits.h>
#include <linux/futex.h>
#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>
int word;
void *wake(void *arg) {
  syscall(SYS_futex, &word, FUTEX_WAKE, INT_MAX);
  return arg;
}
int main(void) {
  pthread_t other;
  pthread_create(&other, 0, wake, 0);
  syscall(SYS_futex, &word, FUTEX_WAIT, 0, (void *)0, (void *)0, 0); // blocked
  pthread_join(other, 0);
}
