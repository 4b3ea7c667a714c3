// safe, reached
#include <pthread.h>
// Of every kind: at file scope, static in a function, declared before it is defined.
extern __thread int declared;
static _Thread_local int own = 3;
static int *inner(void) { static _Thread_local int count = 1; count++; return &count; }
_Thread_local struct { char c; long l; } record = {1, 2};
__thread int declared = 5;
int *others;
static void *routine(void *arg) {
  assert(own == 3 && declared == 5 && record.l == 2);
  own = declared = 9;
  record.l = 9;
  assert(*inner() == 2 && *inner() == 3);
  assert(&own != others);
  return 0;
}
int main(void) {
  pthread_t id;
  others = &own;
  own = 4;
  inner();
  pthread_create(&id, 0, routine, 0);
  pthread_join(id, 0);
  assert(own == 4 && declared == 5 && record.l == 2 && *inner() == 3);
  REACHED;
}
