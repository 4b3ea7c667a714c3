// safe, reached
#include <pthread.h>
// Nobody comes through alone, one is the serial one, and that twice.
#include <errno.h>
pthread_barrier_t b;
int before[2], serial[2];
static void *routine(void *arg) {
  for (int i = 0; i < 2; i++) {
    __atomic_fetch_add(&before[i], 1, 5);
    int status = pthread_barrier_wait(&b);
    assert(before[i] == 2);
    assert(status == 0 || status == PTHREAD_BARRIER_SERIAL_THREAD);
    if (status)
      serial[i]++;
  }
  return 0;
}
int main(void) {
  pthread_t a;
  assert(pthread_barrier_init(&b, 0, 0) == EINVAL);
  assert(pthread_barrier_init(&b, 0, 2) == 0);
  pthread_create(&a, 0, routine, 0);
  routine(0);
  pthread_join(a, 0);
  assert(serial[0] == 1 && serial[1] == 1);
  assert(pthread_barrier_destroy(&b) == 0);
  REACHED;
}
