// safe, reached
#include <threads.h>
tss_t key;
int ran;
static void destroy(void *value) { ran += *(int *)value; }
static int routine(void *arg) {
  assert(tss_get(key) == 0);
  assert(tss_set(key, arg) == thrd_success);
  assert(tss_get(key) == arg);
  return 0;
}
int main(void) {
  thrd_t id;
  int two = 2;
  assert(tss_create(&key, destroy) == thrd_success);
  thrd_create(&id, routine, &two);
  thrd_join(id, 0);
  assert(ran == 2 && tss_get(key) == 0);
  tss_delete(key);
  REACHED;
}
