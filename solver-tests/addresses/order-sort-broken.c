// expect: failed
// Three pointers are sorted by the sign of their differences, as `int`.
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
static int *array[3];
static void sort(int i, int j) {
  int *a = array[i], *b = array[j];
  if ((int)((uintptr_t)a - (uintptr_t)b) > 0) array[i] = b, array[j] = a;
}
static void *fill(void *arg) {
  array[1] = malloc(sizeof(int));
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, fill, 0);
  array[0] = malloc(sizeof(int));
  array[2] = malloc(sizeof(int));
  pthread_join(t, 0);
  sort(0, 1);
  sort(1, 2);
  sort(0, 1);
  assert((uintptr_t)array[0] < (uintptr_t)array[1] && (uintptr_t)array[1] < (uintptr_t)array[2]);
}
