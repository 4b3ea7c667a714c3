// expect: failed
// What is known of an object, by its address, is believed of the next one there.
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static uintptr_t key;
static int known;
static int value(const int *p) {
  pthread_mutex_lock(&lock);
  if (key != (uintptr_t)p) key = (uintptr_t)p, known = *p;
  int result = known;
  pthread_mutex_unlock(&lock);
  return result;
}
static void *use(void *arg) {
  int *p = malloc(sizeof *p);
  *p = 1;
  assert(value(p) == 1);
  free(p);
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, use, 0);
  int *p = malloc(sizeof *p);
  *p = 2;
  assert(value(p) == 2);
  pthread_join(t, 0);
}
