// A fence behind the last step that others see.
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
sem_t never;
void *wait_for(void *arg) {
  sem_wait(&never); // blocked
  return arg;
}
int main(void) {
  pthread_t other;
  sem_init(&never, 0, 0);
  pthread_create(&other, 0, wait_for, 0);
  atomic_thread_fence(memory_order_seq_cst);
  pthread_join(other, 0); // blocked
}
