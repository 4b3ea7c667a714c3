// expect: complete
// A hash set of pointers with linear probing.
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static void *table[4];
static void *insert(void *p) {
  unsigned h = (uintptr_t)p >> 4 & 3;
  pthread_mutex_lock(&lock);
  if (table[h]) h = (h + 1) & 3;
  table[h] = p;
  pthread_mutex_unlock(&lock);
  return 0;
}
static int contains(void *p) {
  unsigned h = (uintptr_t)p >> 4 & 3;
  return table[h] == p || table[(h + 1) & 3] == p;
}
int main(void) {
  pthread_t t;
  void *p = malloc(8), *q = malloc(8), *r = malloc(8);
  pthread_create(&t, 0, insert, p);
  insert(q);
  pthread_join(t, 0);
  assert(contains(p) && contains(q) && !contains(r));
}
