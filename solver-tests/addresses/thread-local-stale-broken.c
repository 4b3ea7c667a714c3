// expect: bounded undefined
// A thread's own variable ends with the thread.
#include <assert.h>
#include <pthread.h>
static _Thread_local int own = 1;
static void *place(void *arg) { return &own; }
int main(void) {
  pthread_t t;
  void *found;
  pthread_create(&t, 0, place, 0);
  pthread_join(t, &found);
  assert(*(int *)found == 1);
}
