// unsafe
#include <pthread.h>
// One that is not atomic is copied member by member.
struct pair { int a, b; } both;
static void *routine(void *arg) { struct pair next = {1, 1}; both = next; return 0; }
int main(void) {
  pthread_t id;
  pthread_create(&id, 0, routine, 0);
  struct pair seen = both;
  assert(seen.a == seen.b);
}
