// safe, reached
#include <pthread.h>
// Who holds it is alone.
pthread_spinlock_t m;
int x, inside;
static void visit(void) {
  assert(pthread_spin_lock(&m) == 0);
  assert(++inside == 1);
  x++;
  inside--;
  assert(pthread_spin_unlock(&m) == 0);
}
static void *routine(void *arg) { visit(); return 0; }
int main(void) {
  pthread_t a;
  assert(pthread_spin_init(&m, PTHREAD_PROCESS_PRIVATE) == 0);
  pthread_create(&a, 0, routine, 0);
  visit();
  pthread_join(a, 0);
  assert(x == 2);
  REACHED;
}
