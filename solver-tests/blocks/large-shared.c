// safe
#include <pthread.h>
#include <string.h>
#include <assert.h>
struct big { int n; int data[1 << 20]; } a, b;
void *t(void *x) { a.data[7] = 3; a.data[8] = 4; return 0; }
void *u(void *x) { memset(&a, 1, sizeof a); return 0; }
int main() {
  pthread_t x, y;
  pthread_create(&x, 0, t, 0);
  pthread_create(&y, 0, u, 0);
  b = a;
  assert(b.data[7] == 3 || b.data[7] == 0 || b.data[7] == 0x01010101);
}
