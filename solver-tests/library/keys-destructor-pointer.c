// safe, reached
#include <pthread.h>
// Whatever way the start routine came.
pthread_key_t key;
int ran;
static void destroy(void *value) { ran = 1; }
static void *one(void *arg) { pthread_setspecific(key, &key); return (void *)1; }
static void *two(void *arg) { return (void *)2; }
void *(*routines[2])(void *) = {one, two};
int main(void) {
  pthread_t id;
  void *result;
  pthread_key_create(&key, destroy);
  int which = __VERIFIER_nondet_int() & 1;
  pthread_create(&id, 0, routines[which], 0);
  pthread_join(id, &result);
  assert(result == (void *)(long)(which + 1));
  assert(ran == (which == 0));
  if (which == 0) REACHED;
}
