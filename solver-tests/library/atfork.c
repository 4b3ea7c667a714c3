// safe, reached
// Nothing forks, so that nothing calls the handlers of that.
#include <pthread.h>
static void f(void) { assert(0); }
int main(void) {
  assert(pthread_atfork(f, f, f) == 0);
  REACHED;
}
