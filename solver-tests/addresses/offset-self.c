// expect: complete
// A pointer as its distance from itself, within one structure.
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <string.h>
struct shared { int8_t distance; char pad[3]; int value; };
static void *set(void *arg) {
  struct shared *s = arg;
  *(int *)((uintptr_t)&s->distance + s->distance) = 4;
  return 0;
}
int main(void) {
  struct shared first = {0, "", 0}, second;
  first.distance = (uintptr_t)&first.value - (uintptr_t)&first.distance;
  memcpy(&second, &first, sizeof first);
  pthread_t t;
  pthread_create(&t, 0, set, &second);
  pthread_join(t, 0);
  assert(first.value == 0 && second.value == 4);
}
