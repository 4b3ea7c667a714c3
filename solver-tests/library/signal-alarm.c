// unsupported
#include <signal.h>
#include <unistd.h>
static void handler(int number) { assert(0); }
int main(void) {
  signal(SIGALRM, handler);
  alarm(1);
}
