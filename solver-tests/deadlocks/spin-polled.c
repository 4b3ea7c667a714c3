#include <pthread.h>
#include <stdatomic.h>

extern _Bool __VERIFIER_nondet_bool(void);

pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER;
atomic_int go, done;
int x;

/* Two loops poll, and nobody ends the second. It may wait for the mutex that the first holds within its loop, and gives back again. */

void *reads(void *arg) {
  for (;;) {
    pthread_mutex_lock(&a); // blocked
    int seen = x;
    pthread_mutex_unlock(&a);
    if (done) {
      break;
    }
  }
  return arg;
}

void *writes(void *arg) {
  if (__VERIFIER_nondet_bool()) {
    done = 1;
  }
  while (!go) { // blocked
    pthread_mutex_lock(&a);
    x = 1;
    pthread_mutex_unlock(&a);
  }
  return arg;
}

int main(void) {
  pthread_t s, t;
  pthread_create(&s, 0, reads, 0);
  pthread_create(&t, 0, writes, 0);
  pthread_join(s, 0); // blocked
  pthread_join(t, 0); // blocked
  return 0;
}
