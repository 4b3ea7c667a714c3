// Spin locks and C11 mutexes.
#include <pthread.h>
#include <threads.h>
pthread_spinlock_t s;
mtx_t m;
void *first(void *arg) {
  pthread_spin_lock(&s);
  mtx_lock(&m);  // blocked
  mtx_unlock(&m);
  pthread_spin_unlock(&s);
  return 0;
}
int main(void) {
  pthread_t one;
  pthread_spin_init(&s, 0);
  mtx_init(&m, mtx_plain);
  pthread_create(&one, 0, first, 0);
  mtx_lock(&m);
  pthread_spin_lock(&s);  // blocked
  return 0;
}
