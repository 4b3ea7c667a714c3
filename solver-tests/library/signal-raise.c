// unsupported
#include <signal.h>
static void handler(int number) { assert(0); }
int main(void) {
  signal(SIGUSR1, handler);
  raise(SIGUSR1);
}
