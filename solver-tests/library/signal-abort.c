// unsupported
// `abort` runs the handler.
#include <signal.h>
static void handler(int number) { assert(0); }
int main(void) {
  signal(SIGABRT, handler);
  abort();
}
