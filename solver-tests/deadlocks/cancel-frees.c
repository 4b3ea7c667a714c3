// Who is cancelled waits no longer: at a semaphore, a join, a condition.
#include <pthread.h>
#include <semaphore.h>
sem_t s;
pthread_t one, two, three;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;
void *first(void *arg) {
  sem_wait(&s);
  return 0;
}
void *second(void *arg) {
  pthread_join(three, 0);
  return 0;
}
void unlock(void *arg) {
  pthread_mutex_unlock(arg);
}
void *third(void *arg) {
  pthread_mutex_lock(&m);
  pthread_cleanup_push(unlock, &m);
  for (;;)
    pthread_cond_wait(&c, &m);
  pthread_cleanup_pop(1);
  return 0;
}
int main(void) {
  pthread_create(&three, 0, third, 0);
  pthread_create(&two, 0, second, 0);
  pthread_create(&one, 0, first, 0);
  pthread_cancel(one);
  pthread_join(one, 0);
  pthread_cancel(two);
  pthread_join(two, 0);
  pthread_cancel(three);
  pthread_mutex_lock(&m);
  pthread_mutex_unlock(&m);
  return 0;
}
