// safe, reached
#include <errno.h>
#include <signal.h>
int main(void) {
  sigset_t set;
  assert(sigemptyset(&set) == 0);
  assert(sigismember(&set, SIGUSR1) == 0 && sigismember(&set, SIGRTMAX) == 0);
  assert(sigaddset(&set, SIGUSR1) == 0 && sigaddset(&set, SIGRTMAX) == 0);
  assert(sigismember(&set, SIGUSR1) == 1 && sigismember(&set, SIGRTMAX) == 1 && sigismember(&set, SIGUSR2) == 0);
  assert(sigdelset(&set, SIGUSR1) == 0 && sigismember(&set, SIGUSR1) == 0 && sigismember(&set, SIGRTMAX) == 1);
  sigfillset(&set);
  assert(sigismember(&set, SIGHUP) == 1 && sigismember(&set, SIGUSR1) == 1);
  errno = 0;
  assert(sigaddset(&set, 0) == -1 && errno == EINVAL);
  assert(sigdelset(&set, NSIG) == -1 && sigismember(&set, -1) == -1);
  REACHED;
}
