// unsupported
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>
int main(void) {
  unsigned word = 0;
  syscall(SYS_futex, &word, FUTEX_LOCK_PI, 0, (void *)0, (void *)0, 0);
}
