// complete
#include <assert.h>
#include <pthread.h>
extern _Thread_local int mine;
void raise_mine(void);
static void *own(void *arg) {
  raise_mine();
  assert(mine == 1);
  return arg;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, own, 0);
  raise_mine();
  pthread_join(t, 0);
  assert(mine == 1);
  return 0;
}
