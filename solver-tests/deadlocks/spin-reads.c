#include <pthread.h>
#include <stdatomic.h>

_Atomic int go, done;
int x;

/* Reads what another loop changes for a while, and makes no use of it. */
void *reads(void *arg) {
  int seen = 0;
  while (!done) { // blocked
    seen = x;
  }
  return arg;
}

void *changes(void *arg) {
  for (;;) {
    x = 1; // blocked
    x = 0;
    if (go)
      break;
  }
  done++;
  return arg;
}

int main(void) {
  pthread_t t[2];
  pthread_create(&t[0], 0, reads, 0);
  pthread_create(&t[1], 0, changes, 0);
  pthread_join(t[0], 0); // blocked
  pthread_join(t[1], 0);
  return 0;
}
