// undefined
#include <pthread.h>
static void *routine(void *arg) { return 0; }
int main(void) {
  pthread_t id;
  pthread_attr_t attr;
  pthread_attr_init(&attr);
  pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED);
  pthread_create(&id, &attr, routine, 0);
  pthread_join(id, 0);
  assert(0);
}
