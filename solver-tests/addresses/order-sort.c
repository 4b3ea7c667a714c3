// expect: complete
// Three pointers are sorted by comparison.
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
static int *array[3];
static void sort(int i, int j) {
  int *a = array[i], *b = array[j];
  if ((uintptr_t)a > (uintptr_t)b) array[i] = b, array[j] = a;
}
static void *fill(void *arg) {
  array[1] = malloc(sizeof(int));
  *array[1] = 2;
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, fill, 0);
  array[0] = malloc(sizeof(int));
  *array[0] = 1;
  array[2] = malloc(sizeof(int));
  *array[2] = 4;
  pthread_join(t, 0);
  sort(0, 1);
  sort(1, 2);
  sort(0, 1);
  assert((uintptr_t)array[0] < (uintptr_t)array[1] && (uintptr_t)array[1] < (uintptr_t)array[2]);
  assert(*array[0] + *array[1] + *array[2] == 7);
}
