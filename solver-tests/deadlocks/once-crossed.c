// Two routines that run once and wait for each other.
#include <pthread.h>
pthread_once_t one_once = PTHREAD_ONCE_INIT, other_once = PTHREAD_ONCE_INIT;
int depth;
void other(void);
void one(void) {
  pthread_once(&other_once, other);  // blocked
}
void other(void) {
  pthread_once(&one_once, one);  // blocked
}
void *first(void *arg) {
  pthread_once(&one_once, one);  // blocked
  return 0;
}
void *second(void *arg) {
  pthread_once(&other_once, other);  // blocked
  return 0;
}
int main(void) {
  pthread_t one, two;
  pthread_create(&one, 0, first, 0);
  pthread_create(&two, 0, second, 0);
  pthread_join(one, 0);  // blocked
  pthread_join(two, 0);
  return 0;
}
