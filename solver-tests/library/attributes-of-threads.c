// safe, reached
#include <pthread.h>
#include <errno.h>
#include <limits.h>
#include <sched.h>
char stack[32768];
int main(void) {
  pthread_attr_t a;
  int n = 9;
  size_t size = 0;
  void *place = 0;
  struct sched_param param = {0};
  assert(pthread_attr_init(&a) == 0);
  assert(pthread_attr_getdetachstate(&a, &n) == 0 && n == PTHREAD_CREATE_JOINABLE);
  assert(pthread_attr_setdetachstate(&a, 2) == EINVAL);
  assert(pthread_attr_setdetachstate(&a, PTHREAD_CREATE_DETACHED) == 0);
  assert(pthread_attr_getdetachstate(&a, &n) == 0 && n == PTHREAD_CREATE_DETACHED);
  assert(pthread_attr_setscope(&a, 7) == EINVAL);
  assert(pthread_attr_setscope(&a, PTHREAD_SCOPE_PROCESS) == 0);
  assert(pthread_attr_getscope(&a, &n) == 0 && n == PTHREAD_SCOPE_PROCESS);
  assert(pthread_attr_setschedpolicy(&a, 9) == EINVAL);
  assert(pthread_attr_setschedpolicy(&a, SCHED_RR) == 0);
  assert(pthread_attr_getschedpolicy(&a, &n) == 0 && n == SCHED_RR);
  assert(pthread_attr_setinheritsched(&a, 5) == EINVAL);
  assert(pthread_attr_setinheritsched(&a, PTHREAD_EXPLICIT_SCHED) == 0);
  assert(pthread_attr_getinheritsched(&a, &n) == 0 && n == PTHREAD_EXPLICIT_SCHED);
  param.sched_priority = 12;
  assert(pthread_attr_setschedparam(&a, &param) == 0);
  param.sched_priority = 0;
  assert(pthread_attr_getschedparam(&a, &param) == 0 && param.sched_priority == 12);
  assert(pthread_attr_setstacksize(&a, PTHREAD_STACK_MIN - 1) == EINVAL);
  assert(pthread_attr_setstacksize(&a, 65536) == 0);
  assert(pthread_attr_getstacksize(&a, &size) == 0 && size == 65536);
  assert(pthread_attr_setguardsize(&a, 100) == 0);
  assert(pthread_attr_getguardsize(&a, &size) == 0 && size == 100);
  assert(pthread_attr_setstack(&a, stack, 1) == EINVAL);
  assert(pthread_attr_setstack(&a, stack, sizeof stack) == 0);
  assert(pthread_attr_getstack(&a, &place, &size) == 0 && place == stack && size == sizeof stack);
  assert(pthread_attr_setstackaddr(&a, &n) == 0);
  assert(pthread_attr_getstackaddr(&a, &place) == 0 && place == &n);
  assert(pthread_attr_getdetachstate(&a, &n) == 0 && n == PTHREAD_CREATE_DETACHED);
  assert(pthread_attr_destroy(&a) == 0);
  REACHED;
}
