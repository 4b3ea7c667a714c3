// unsupported
#include <pthread.h>
static void *routine(void *arg) { pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, 0); return 0; }
int main(void) {
  pthread_t id;
  pthread_create(&id, 0, routine, 0);
  pthread_cancel(id);
  pthread_join(id, 0);
}
