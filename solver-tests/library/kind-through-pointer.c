// safe, reached
#include <pthread.h>
// A recursive mutex that is locked by a function called through a pointer.
pthread_mutex_t m = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
int (*operations[2])(pthread_mutex_t *) = {pthread_mutex_lock, pthread_mutex_unlock};
int main(void) {
  assert(operations[0](&m) == 0 && operations[0](&m) == 0);
  assert(operations[1](&m) == 0 && operations[1](&m) == 0);
  assert(operations[1](&m) == 1);
  REACHED;
}
