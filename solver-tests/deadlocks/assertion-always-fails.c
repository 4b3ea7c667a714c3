// A thread that always fails an assertion ends the process: who joins it is not blocked for ever.
#include <assert.h>
#include <pthread.h>
int x = 1;
void *fails(void *arg) {
  if (x)
    assert(0);
  return 0;
}
int main(void) {
  pthread_t one;
  pthread_create(&one, 0, fails, 0);
  pthread_join(one, 0);
  return 0;
}
