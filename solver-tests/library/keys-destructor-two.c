// safe, reached
#include <pthread.h>
// A value that another destructor leaves is destroyed in the next round; a key that was deleted has no destructor.
pthread_key_t first, second, third;
int order;
static void one(void *value) { order = order * 10 + 1; }
static void two(void *value) { order = order * 10 + 2; pthread_setspecific(first, &first); }
static void three(void *value) { order = 99; }
static void *routine(void *arg) {
  pthread_setspecific(second, &second);
  pthread_setspecific(third, &third);
  return 0;
}
int main(void) {
  pthread_t id;
  pthread_key_create(&first, one);
  pthread_key_create(&second, two);
  pthread_key_create(&third, three);
  pthread_key_delete(third);
  pthread_create(&id, 0, routine, 0);
  pthread_join(id, 0);
  assert(order == 21);
  REACHED;
}
