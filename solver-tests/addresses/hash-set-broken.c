// expect: failed
// A hash set of pointers without probing.
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static void *table[4];
static void *insert(void *p) {
  unsigned h = (uintptr_t)p >> 4 & 3;
  pthread_mutex_lock(&lock);
  table[h] = p;
  pthread_mutex_unlock(&lock);
  return 0;
}
static int contains(void *p) {
  return table[(uintptr_t)p >> 4 & 3] == p;
}
int main(void) {
  pthread_t t;
  void *p = malloc(8), *q = malloc(8);
  pthread_create(&t, 0, insert, p);
  insert(q);
  pthread_join(t, 0);
  assert(contains(p) && contains(q));
}
