// safe, reached
// Two threads install the same handler, as those of a pool do.
#include <pthread.h>
#include <signal.h>
static void handler(int number) { assert(0); }
static void *routine(void *arg) {
  struct sigaction action;
  sigemptyset(&action.sa_mask);
  action.sa_flags = 0;
  action.sa_handler = handler;
  assert(sigaction(SIGUSR1, &action, 0) == 0);
  return 0;
}
int main(void) {
  pthread_t one, other;
  pthread_create(&one, 0, routine, 0);
  pthread_create(&other, 0, routine, 0);
  pthread_join(one, 0);
  pthread_join(other, 0);
  struct sigaction old;
  sigaction(SIGUSR1, 0, &old);
  assert(old.sa_handler == handler);
  REACHED;
}
