// expect: bounded undefined
// A pointer that was kept over `free` leads nowhere, even where something stands in its place.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
static int *kept;
static void *set(void *arg) {
  *kept = 7;
  return 0;
}
int main(void) {
  kept = malloc(sizeof *kept);
  free(kept);
  int *q = malloc(sizeof *q);
  *q = 5;
  if (q != kept) return 0;
  pthread_t t;
  pthread_create(&t, 0, set, 0);
  pthread_join(t, 0);
  assert(*q == 5);
}
