// Joining oneself is an error, and no wait.
#include <pthread.h>
int main(void) {
  pthread_join(pthread_self(), 0);
  return 0;
}
