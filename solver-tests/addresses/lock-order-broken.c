// expect: failed
// Two locks are taken in the order of the low halves of their addresses, which may be the same.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
struct account { pthread_mutex_t lock; int balance; };
static struct account *_Atomic has[2], *_Atomic wants[2], *x, *y;
static void transfer(int me, struct account *a, struct account *b) {
  int turned = (unsigned)(uintptr_t)b < (unsigned)(uintptr_t)a;
  struct account *first = turned ? b : a, *second = turned ? a : b;
  pthread_mutex_lock(&first->lock);
  has[me] = first;
  wants[me] = second;
  assert(!(has[!me] == second && wants[!me] == first));
  pthread_mutex_lock(&second->lock);
  wants[me] = has[me] = 0;
  a->balance--;
  b->balance++;
  pthread_mutex_unlock(&second->lock);
  pthread_mutex_unlock(&first->lock);
}
static void *back(void *arg) {
  transfer(1, y, x);
  return 0;
}
int main(void) {
  x = malloc(sizeof *x);
  y = malloc(sizeof *y);
  pthread_mutex_init(&x->lock, 0);
  pthread_mutex_init(&y->lock, 0);
  x->balance = y->balance = 1;
  pthread_t t;
  pthread_create(&t, 0, back, 0);
  transfer(0, x, y);
  pthread_join(t, 0);
  assert(x->balance == 1 && y->balance == 1);
}
