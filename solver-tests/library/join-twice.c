// undefined
#include <pthread.h>
// A handle is used up by the first join.
static void *routine(void *arg) { return 0; }
int main(void) {
  pthread_t id;
  pthread_create(&id, 0, routine, 0);
  pthread_join(id, 0);
  pthread_join(id, 0);
  assert(0);
}
