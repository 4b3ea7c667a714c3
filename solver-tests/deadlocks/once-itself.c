// A routine that runs once and calls itself so.
#include <pthread.h>
pthread_once_t once = PTHREAD_ONCE_INIT;
void run(void) {
  pthread_once(&once, run);  // blocked
}
int main(void) {
  pthread_once(&once, run);
  return 0;
}
