// expect: complete
// A pool carves one array; a slot's number is found by its address.
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
static struct slot { struct slot *next; long value; } pool[3];
static struct slot *unused;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int owner[3];
static struct slot *take(void) {
  pthread_mutex_lock(&lock);
  struct slot *s = unused;
  unused = s->next;
  pthread_mutex_unlock(&lock);
  return s;
}
static void *use(void *arg) {
  struct slot *s = take();
  uintptr_t index = ((uintptr_t)s - (uintptr_t)pool) / sizeof *s;
  assert(index < 3 && owner[index] == 0);
  owner[index] = 1;
  s->value = 5;
  assert(pool[index].value == 5);
  return 0;
}
int main(void) {
  for (int i = 0; i < 2; i++) pool[i].next = &pool[i + 1];
  unused = pool;
  pthread_t s, t;
  pthread_create(&s, 0, use, 0);
  pthread_create(&t, 0, use, 0);
  pthread_join(s, 0);
  pthread_join(t, 0);
  assert(owner[0] && owner[1]);
}
