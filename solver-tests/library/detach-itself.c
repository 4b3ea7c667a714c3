// safe, reached
#include <pthread.h>
int x;
static void *routine(void *arg) { assert(pthread_detach(pthread_self()) == 0); x = 1; return 0; }
int main(void) {
  pthread_t id;
  pthread_create(&id, 0, routine, 0);
  if (x) REACHED;
}
