// SUCCESSFUL
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int total;

static void *deliver(void *arg) {
  int *order = arg;
  pthread_mutex_lock(&lock);
  total += *order;
  pthread_mutex_unlock(&lock);
  free(order);
  return 0;
}

int main(void) {
  pthread_t courier;
  int *order;
  order = malloc(sizeof *order);
  if (!order)
    return 1;
  *order = 1;
  free(order);
  order = malloc(sizeof *order);
  if (!order)
    return 1;
  *order = 2;
  if (pthread_create(&courier, 0, deliver, order) != 0) {
    free(order);
    return 1;
  }
  pthread_join(courier, 0);
  return 0;
}
