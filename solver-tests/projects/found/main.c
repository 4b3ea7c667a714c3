#include "counter.h"
#include <pthread.h>
static void *adds(void *arg) {
  add(1);
  return arg;
}
int main(void) {
  pthread_t t[2];
  for (int i = 0; i < 2; i++)
    pthread_create(&t[i], 0, adds, 0);
  for (int i = 0; i < 2; i++)
    pthread_join(t[i], 0);
  check(2);
  return 0;
}
