// expect: failed
// A number leads to what is at its place when the object that it was made from has ended.
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static uintptr_t hidden;
static int *now, exchanged;
static void *look(void *arg) {
  pthread_mutex_lock(&m);
  if (exchanged && hidden == (uintptr_t)now * 3) assert(*(int *)(hidden / 3) == 1);
  pthread_mutex_unlock(&m);
  return 0;
}
static void *exchange(void *arg) {
  pthread_mutex_lock(&m);
  exchanged = 1;
  free(now);
  now = malloc(sizeof *now);
  *now = 2;
  pthread_mutex_unlock(&m);
  return 0;
}
int main(void) {
  pthread_t s, t;
  now = malloc(sizeof *now);
  *now = 1;
  hidden = (uintptr_t)now * 3;
  pthread_create(&s, 0, look, 0);
  pthread_create(&t, 0, exchange, 0);
}
