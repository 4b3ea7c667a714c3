// safe, reached
#include <stdatomic.h>
#include <pthread.h>
// A flag as a lock; the exchange that fails changes nothing and tells what it saw.
atomic_flag flag = ATOMIC_FLAG_INIT;
_Atomic short count;
int inside;
static void *routine(void *arg) {
  if (!atomic_flag_test_and_set(&flag)) {
    assert(inside++ == 0);
    inside--;
    atomic_flag_clear(&flag);
    short seen = 7;
    while (!atomic_compare_exchange_weak(&count, &seen, seen + 1))
      assert(seen != 7);
  }
  return 0;
}
int main(void) {
  pthread_t id;
  pthread_create(&id, 0, routine, 0);
  routine(0);
  pthread_join(id, 0);
  assert(count <= 2);
  if (count == 2) REACHED;
}
