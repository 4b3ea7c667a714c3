// unsupported
#include <pthread.h>
#include <string.h>
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
int a[1 << 20], b[1 << 20];
int k;
void *t(void *x) { a[k & 0xfffff] = 3; return 0; }
int main() {
  pthread_t x;
  k = __VERIFIER_nondet_int();
  memset(a, 1, sizeof a);
  pthread_create(&x, 0, t, 0);
  memcpy(b, a, sizeof a);
  pthread_join(x, 0);
}
