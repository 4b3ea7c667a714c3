#include <pthread.h>
#include <stdatomic.h>

pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
_Atomic int never, flag;

/* What one changes for a while, the others look at: whatever they see, they come round. */

void *changes(void *arg) {
  while (!never) { // blocked
    pthread_mutex_lock(&a);
    flag = 1;
    flag = 0;
    pthread_mutex_unlock(&a);
  }
  return arg;
}

void *tries(void *arg) {
  while (!never) { // blocked
    if (!pthread_mutex_trylock(&a)) {
      pthread_mutex_lock(&b);
      pthread_mutex_unlock(&b);
      pthread_mutex_unlock(&a);
    }
  }
  return arg;
}

void *looks(void *arg) {
  while (!never) { // blocked
    if (flag) {
      pthread_mutex_lock(&b);
      pthread_mutex_unlock(&b);
    }
  }
  return arg;
}

int main(void) {
  pthread_t t[3];
  pthread_create(&t[0], 0, changes, 0);
  pthread_create(&t[1], 0, tries, 0);
  pthread_create(&t[2], 0, looks, 0);
  pthread_join(t[0], 0); // blocked
  pthread_join(t[1], 0);
  pthread_join(t[2], 0);
  return 0;
}
