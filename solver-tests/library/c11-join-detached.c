// undefined
#include <threads.h>
static int routine(void *arg) { return 3; }
int main(void) {
  thrd_t a;
  thrd_create(&a, routine, 0);
  assert(thrd_detach(a) == thrd_success);
  thrd_join(a, 0);
  assert(0);
}
