// safe, reached
#include <pthread.h>
// On exit, the newest first, before the destructors; on pop, if asked for.
int order;
pthread_key_t key;
static void add(void *digit) { order = order * 10 + (int)(long)digit; }
static void destroy(void *value) { add((void *)9); }
static void *routine(void *arg) {
  pthread_setspecific(key, &key);
  pthread_cleanup_push(add, (void *)1);
  pthread_cleanup_push(add, (void *)2);
  pthread_cleanup_push(add, (void *)3);
  pthread_cleanup_pop(0);
  pthread_cleanup_push(add, (void *)4);
  pthread_cleanup_pop(1);
  pthread_exit(0);
  pthread_cleanup_pop(0);
  pthread_cleanup_pop(0);
  return 0;
}
int main(void) {
  pthread_t id;
  pthread_key_create(&key, destroy);
  pthread_create(&id, 0, routine, 0);
  pthread_join(id, 0);
  assert(order == 4219);
  REACHED;
}
