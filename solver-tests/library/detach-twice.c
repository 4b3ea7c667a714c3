// undefined
#include <pthread.h>
static void *routine(void *arg) { return 0; }
int main(void) {
  pthread_t id;
  pthread_create(&id, 0, routine, 0);
  pthread_detach(id);
  pthread_detach(id);
  assert(0);
}
