// Who comes while a routine runs waits for it, and no longer.
#include <pthread.h>
pthread_once_t once = PTHREAD_ONCE_INIT;
int x;
void run(void) {
  x++;
}
void *first(void *arg) {
  pthread_once(&once, run);
  return 0;
}
void *second(void *arg) {
  pthread_once(&once, run);
  return 0;
}
int main(void) {
  pthread_t one, two;
  pthread_create(&one, 0, first, 0);
  pthread_create(&two, 0, second, 0);
  pthread_join(one, 0);
  pthread_join(two, 0);
  return 0;
}
