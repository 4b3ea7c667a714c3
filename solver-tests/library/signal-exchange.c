// safe, reached
// The action that is installed and the place for the one before may be one object.
#include <signal.h>
static void handler(int number) { assert(0); }
int main(void) {
  struct sigaction action;
  action.sa_handler = handler;
  assert(sigaction(SIGUSR2, &action, &action) == 0 && action.sa_handler == SIG_DFL);
  assert(signal(SIGUSR2, SIG_IGN) == handler);
  REACHED;
}
