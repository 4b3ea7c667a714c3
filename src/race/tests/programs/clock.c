// The place where a function of the library puts a result is memory of the program.
#include <pthread.h>
#include <stdlib.h>
#include <time.h>
struct timespec now;
void *f(void *a) {
  now.tv_sec = 1; // open
  return 0; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  clock_gettime(CLOCK_REALTIME, &now);
  return 0;
}
