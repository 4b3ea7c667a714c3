// safe, reached
#include <pthread.h>
// What it checks does not let anybody in.
pthread_mutex_t m = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;
int x, inside;
static void visit(void) {
  assert(pthread_mutex_lock(&m) == 0);
  assert(++inside == 1);
  x++;
  inside--;
  assert(pthread_mutex_unlock(&m) == 0);
}
static void *routine(void *arg) { visit(); return 0; }
int main(void) {
  pthread_t a;
  pthread_create(&a, 0, routine, 0);
  visit();
  pthread_join(a, 0);
  assert(x == 2);
  REACHED;
}
