// expect: failed
// C11: the identifier of a thread that was joined may come back.
#include <assert.h>
#include <threads.h>
static int nothing(void *arg) { return 0; }
int main(void) {
  thrd_t s, t;
  thrd_create(&s, nothing, 0);
  thrd_join(s, 0);
  thrd_create(&t, nothing, 0);
  assert(!thrd_equal(s, t));
  thrd_join(t, 0);
}
