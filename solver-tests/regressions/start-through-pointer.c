// unsafe
// Two threads may be created at one place; only one of them is.
#include <pthread.h>
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
int ran;
static void *one(void *arg) { ran = 1; return (void *)1; }
static void *two(void *arg) { return (void *)2; }
void *(*routines[2])(void *) = {one, two};
int main(void) {
  pthread_t id;
  void *result;
  int which = __VERIFIER_nondet_int() & 1;
  pthread_create(&id, 0, routines[which], 0);
  pthread_join(id, &result);
  assert(ran == 0);
}
