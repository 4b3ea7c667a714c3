// safe, reached
#include <pthread.h>
// A structure of eight bytes is one step.
_Atomic struct pair { int a, b; } both;
static void *routine(void *arg) { struct pair next = {1, 1}; both = next; return 0; }
int main(void) {
  pthread_t id;
  pthread_create(&id, 0, routine, 0);
  struct pair seen = both;
  assert(seen.a == seen.b);
  if (seen.a) REACHED;
}
