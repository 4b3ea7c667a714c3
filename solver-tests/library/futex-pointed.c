// unsafe
// A function that wakes is called through a pointer that another function returns.
#include <linux/futex.h>
#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>
int word;
long wake(void) { return syscall(SYS_futex, &word, FUTEX_WAKE, 1); }
long (*chosen(void))(void) { return wake; }
void *wait_for(void *arg) {
  syscall(SYS_futex, &word, FUTEX_WAIT, 0, (void *)0, (void *)0, 0);
  return arg;
}
int main(void) {
  pthread_t other;
  pthread_create(&other, 0, wait_for, 0);
  assert(chosen()() != 1);
}
