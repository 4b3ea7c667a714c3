#include <pthread.h>
#include <stdatomic.h>

_Atomic int go;
pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER;

/* Looks, fails, and waits for itself. */
void *exchanges(void *arg) {
  pthread_mutex_lock(&a);
  while (!__sync_bool_compare_and_swap(&go, 1, 0))
    pthread_mutex_lock(&a); // blocked
  pthread_mutex_unlock(&a);
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, exchanges, 0);
  while (!go) // blocked
    ;
  pthread_join(t, 0);
  return 0;
}
