// safe, reached
// What is installed is told to who asks; without a signal, no handler runs.
#include <errno.h>
#include <signal.h>
static void handler(int number) { assert(0); }
int main(void) {
  struct sigaction action;
  sigemptyset(&action.sa_mask);
  action.sa_flags = SA_RESTART;
  action.sa_handler = handler;
  assert(sigaction(SIGUSR1, &action, 0) == 0);
  assert(signal(SIGUSR1, SIG_IGN) == handler && signal(SIGUSR1, SIG_DFL) == SIG_IGN);
  assert(signal(SIGUSR2, handler) == SIG_DFL && signal(SIGUSR2, SIG_DFL) == handler);
  errno = 0;
  assert(sigaction(SIGKILL, &action, 0) == -1 && errno == EINVAL);
  assert(sigaction(0, &action, 0) == -1 && signal(NSIG, handler) == SIG_ERR && signal(SIGUSR1, SIG_ERR) == SIG_ERR);
  assert(sigaction(SIGKILL, 0, 0) == 0);
  REACHED;
}
