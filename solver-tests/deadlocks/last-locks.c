// Main has joined everybody, and waits for a mutex that a thread has kept.
#include <pthread.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, free_again = PTHREAD_MUTEX_INITIALIZER;
int x;

void *keeps(void *arg) {
  pthread_mutex_lock(&free_again);
  x++;
  pthread_mutex_unlock(&free_again);
  if (x < 2) pthread_mutex_lock(&m);
  return arg;
}

int main(void) {
  pthread_t a;
  pthread_create(&a, 0, keeps, 0);
  x++;
  pthread_join(a, 0);
  pthread_mutex_lock(&free_again);
  pthread_mutex_unlock(&free_again);
  pthread_mutex_lock(&m); // blocked
  return 0;
}
