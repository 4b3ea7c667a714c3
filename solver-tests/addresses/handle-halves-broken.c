// expect: failed
// A handle that came back is compared half by half.
#include <assert.h>
#include <pthread.h>
union whole {
  pthread_t id;
  unsigned short part[4];
} first, second;
static void *run(void *unused) { return unused; }
int main(void) {
  pthread_create(&first.id, 0, run, 0);
  unsigned low = first.part[0], high = first.part[1];
  pthread_join(first.id, 0);
  pthread_create(&second.id, 0, run, 0);
  assert(second.part[0] != low || second.part[1] != high);
  pthread_join(second.id, 0);
  return 0;
}
