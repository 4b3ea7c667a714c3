// expect: bounded undefined
// A pointer to the variable of a thread that has ended leads nowhere.
#include <assert.h>
#include <pthread.h>
static void *first(void *arg) {
  int local = 1, *p = &local;
  return p;
}
static void *second(void *stale) {
  int local = 2;
  if (stale == &local) *(int *)stale = 3;
  assert(local == 2);
  return 0;
}
int main(void) {
  pthread_t t;
  void *stale;
  pthread_create(&t, 0, first, 0);
  pthread_join(t, &stale);
  pthread_create(&t, 0, second, stale);
  pthread_join(t, 0);
}
