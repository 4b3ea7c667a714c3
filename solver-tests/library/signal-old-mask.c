// unsafe
// The mask and the flags of the action before may be any.
#include <signal.h>
int main(void) {
  struct sigaction old;
  old.sa_flags = 0;
  sigaction(SIGUSR1, 0, &old);
  assert(old.sa_flags == 0);
}
