// unsafe
#include <pthread.h>
#include <string.h>
#include <assert.h>
long a[2048]; 
void *t(void *x) { 
  memset(a, 255, sizeof a); return 0; }
int main() {
  pthread_t x;
  pthread_create(&x, 0, t, 0);
  long p = a[9], q = a[8];
  assert(p == 0 || p == -1);
  assert(p == 0 || a[9] == 0);
}
