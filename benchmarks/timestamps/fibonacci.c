// Two threads, `i += j` and `j += i`, N times each: how far can they get? Fibonacci number 2N + 2 is the largest
// value. With ATOMIC, a statement is one step, otherwise three. With BUG, the largest value is a violation (there
// is one), otherwise a larger one is (there is none).
#include <assert.h>
#include <pthread.h>

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

#ifndef N
#define N 11
#endif
#ifdef ATOMIC
#define STEP(statement) (__VERIFIER_atomic_begin(), statement, __VERIFIER_atomic_end())
#else
#define STEP(statement) (statement)
#endif

unsigned i = 1, j = 1;

void *t1(void *arg) {
  for (int k = 0; k < N; k++) STEP(i += j);
  return 0;
}

void *t2(void *arg) {
  for (int k = 0; k < N; k++) STEP(j += i);
  return 0;
}

int main(void) {
  unsigned a = 1, b = 1;
  for (int k = 0; k < 2 * N; k++) {
    unsigned c = a + b;
    a = b;
    b = c;
  }
#ifndef BUG
  b++;
#endif
  pthread_t p, q;
  pthread_create(&p, 0, t1, 0);
  pthread_create(&q, 0, t2, 0);
  assert(i < b && j < b);
  return 0;
}
