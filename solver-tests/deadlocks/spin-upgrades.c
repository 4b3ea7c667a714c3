#include <pthread.h>

pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

/* A loop gives its share of a lock back for a while, which is not all that who waits for the lock waits for. */

void *polite(void *arg) {
  pthread_rwlock_rdlock(&lock); // blocked
  while (pthread_rwlock_trywrlock(&lock)) { // blocked
    pthread_rwlock_unlock(&lock);
    pthread_rwlock_rdlock(&lock); // blocked
  }
  pthread_rwlock_unlock(&lock);
  return arg;
}

void *upgrades(void *arg) {
  pthread_rwlock_rdlock(&lock); // blocked
  pthread_rwlock_wrlock(&lock); // blocked
  pthread_rwlock_unlock(&lock);
  return arg;
}

/* What this one would change, it does not come to. */
void *tries(void *arg) {
  pthread_rwlock_wrlock(&lock); // blocked
  while (pthread_rwlock_tryrdlock(&lock)) { // blocked
  }
  pthread_rwlock_unlock(&lock);
  pthread_rwlock_unlock(&lock);
  return arg;
}

int main(void) {
  pthread_t t[3];
  pthread_create(&t[0], 0, polite, 0);
  pthread_create(&t[1], 0, upgrades, 0);
  pthread_create(&t[2], 0, tries, 0);
  pthread_join(t[0], 0); // blocked
  pthread_join(t[1], 0);
  return 0;
}
