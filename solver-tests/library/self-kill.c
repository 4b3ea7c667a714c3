// safe, reached
#include <pthread.h>
#include <signal.h>
int main(void) {
  assert(pthread_kill(pthread_self(), 0) == 0);
  REACHED;
}
