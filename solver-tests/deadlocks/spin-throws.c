#include <pthread.h>
#include <stdatomic.h>

extern _Bool __VERIFIER_nondet_bool(void);
_Atomic int never, coin;

/* Does something new for ever, though it may leave memory as it was. */
void *throws(void *arg) {
  while (!never)
    coin = __VERIFIER_nondet_bool();
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, throws, 0);
  if (coin)
    never = 0;
  pthread_join(t, 0);
  return 0;
}
