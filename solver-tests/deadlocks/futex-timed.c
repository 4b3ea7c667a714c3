// Time is up at last.
#include <linux/futex.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
int word;
int main(void) {
  struct timespec limit = {1, 0};
  syscall(SYS_futex, &word, FUTEX_WAIT, 0, &limit, (void *)0, 0);
}
