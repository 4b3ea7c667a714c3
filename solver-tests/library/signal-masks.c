// safe, reached
#include <errno.h>
#include <signal.h>
int main(void) {
  sigset_t set, old;
  sigemptyset(&set);
  sigaddset(&set, SIGINT);
  assert(pthread_sigmask(SIG_BLOCK, &set, 0) == 0 && sigprocmask(SIG_SETMASK, 0, &old) == 0);
  assert(pthread_sigmask(3, &set, 0) == EINVAL);
  errno = 0;
  assert(sigprocmask(3, &set, 0) == -1 && errno == EINVAL);
  if (sigismember(&old, SIGINT))
    REACHED;
}
