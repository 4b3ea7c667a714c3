#include <pthread.h>
#include <stdatomic.h>

pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER;
_Atomic int left;

/* Each of them spins if it runs alone; beside the other, it can find the lock taken, and that ends both. */

void *takes(void *arg) {
  while (!left) {
    pthread_mutex_lock(&a);
    pthread_mutex_unlock(&a);
  }
  return arg;
}

void *leaves(void *arg) {
  while (!pthread_mutex_trylock(&a)) {
    pthread_mutex_unlock(&a);
  }
  left = 1;
  return arg;
}

int main(void) {
  pthread_t t[2];
  pthread_create(&t[0], 0, takes, 0);
  pthread_create(&t[1], 0, leaves, 0);
  pthread_join(t[0], 0);
  pthread_join(t[1], 0);
  return 0;
}
