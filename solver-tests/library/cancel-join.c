// safe, reached
#include <pthread.h>
// A blocked thread leaves its call, its handler runs, and who joins it sees that.
#include <semaphore.h>
sem_t s;
int cleaned;
static void clean(void *arg) { cleaned = 1; }
static void *routine(void *arg) {
  pthread_cleanup_push(clean, 0);
  sem_wait(&s);
  pthread_cleanup_pop(0);
  assert(0);
  return 0;
}
int main(void) {
  pthread_t id;
  void *result = 0;
  sem_init(&s, 0, 0);
  pthread_create(&id, 0, routine, 0);
  assert(pthread_cancel(id) == 0);
  assert(pthread_join(id, &result) == 0);
  assert(result == PTHREAD_CANCELED && cleaned == 1);
  REACHED;
}
