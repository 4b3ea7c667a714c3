// What a lock protects, or order, needs no interleaving point; atomic accesses and sections do, and what may end with a scope.
#include <pthread.h>
#include <stdatomic.h>
#include <semaphore.h>
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int locked, early, late, section;
atomic_int flag;
sem_t free_places, old_places;
void *f(void *a) {
  int *of_main = a;
  pthread_mutex_lock(&m);
  locked++; // undisturbed
  pthread_mutex_unlock(&m);
  flag = 1; // disturbed
  __VERIFIER_atomic_begin();
  section++; // disturbed
  __VERIFIER_atomic_end();
  late = early; // undisturbed
  sem_wait(&free_places);
  return (void *)(long)*of_main; // disturbed
}
int main(void) {
  pthread_t t;
  int own = 5;
  int handed = 3; // disturbed
  early = own; // undisturbed
  sem_init(&free_places, 0, 1);
  pthread_create(&t, 0, f, &handed);
  pthread_mutex_lock(&m);
  locked++; // undisturbed
  pthread_mutex_unlock(&m);
  while (!flag) {} // disturbed
  __VERIFIER_atomic_begin();
  section++; // disturbed
  __VERIFIER_atomic_end();
  old_places = free_places; // disturbed
  pthread_join(t, 0);
  return late; // undisturbed
}
