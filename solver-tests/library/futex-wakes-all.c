// unsafe
// Both may wait.
#include <limits.h>
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
  pthread_t one, other;
  pthread_create(&one, 0, wait_for, 0);
  pthread_create(&other, 0, wait_for, 0);
  assert(syscall(SYS_futex, &word, FUTEX_WAKE, INT_MAX) != 2);
}
