// What an operation of a synchronisation object gives back is stored for its caller.
#include <pthread.h>
#include <stdlib.h>
#include <semaphore.h>
sem_t s;
int value;
void *f(void *a) {
  value = 1; // open
  return 0; }
int main(void) {
  pthread_t t;
  sem_init(&s, 0, 1);
  pthread_create(&t, 0, f, 0);
  sem_getvalue(&s, &value);
  return 0;
}
