// One of two that wait is woken.
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <unistd.h>
atomic_int word;
void *wait_for(void *arg) {
  if (!word)
    syscall(SYS_futex, &word, FUTEX_WAIT, 0, (void *)0, (void *)0, 0); // blocked
  return arg;
}
int main(void) {
  pthread_t one, two;
  pthread_create(&one, 0, wait_for, 0);
  pthread_create(&two, 0, wait_for, 0);
  word = 1;
  syscall(SYS_futex, &word, FUTEX_WAKE, 1);
  pthread_join(one, 0); // blocked
  pthread_join(two, 0); // blocked
}
