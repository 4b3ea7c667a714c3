// unsupported
#include <pthread.h>
#include <unistd.h>
static void f(void) { assert(0); }
int main(void) {
  pthread_atfork(f, f, f);
  fork();
  assert(0);
}
