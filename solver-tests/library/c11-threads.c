// safe, reached
#include <threads.h>
static int routine(void *arg) {
  if (arg)
    thrd_exit(-5);
  assert(!thrd_equal(thrd_current(), 0));
  return 3;
}
int main(void) {
  thrd_t a, b;
  int result = 0;
  struct timespec wait = {0, 1};
  assert(thrd_create(&a, routine, 0) == thrd_success);
  assert(thrd_create(&b, routine, &result) == thrd_success);
  assert(thrd_join(a, &result) == thrd_success && result == 3);
  assert(thrd_join(b, &result) == thrd_success && result == -5);
  assert(thrd_equal(a, a) && !thrd_equal(a, b));
  thrd_yield();
  assert(thrd_sleep(&wait, 0) == 0);
  REACHED;
}
