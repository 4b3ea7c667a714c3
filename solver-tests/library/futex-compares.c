// safe, reached
#include <errno.h>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>
int main(void) {
  unsigned word = 1;
  assert(syscall(SYS_futex, &word, FUTEX_WAIT, 0, (void *)0, (void *)0, 0) == -1 && errno == EAGAIN);
  assert(syscall(SYS_futex, &word, FUTEX_WAKE, 1) == 0);
  REACHED;
}
