// undefined
#include <pthread.h>
static void *routine(void *arg) { return 0; }
int main(void) {
  pthread_t id;
  pthread_create(&id, 0, routine, 0);
  assert(pthread_detach(id) == 0);
  pthread_join(id, 0);
  assert(0);
}
