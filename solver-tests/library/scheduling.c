// safe, reached
#define _GNU_SOURCE
#include <pthread.h>
#include <errno.h>
#include <sched.h>
#include <time.h>
#include <unistd.h>
int main(void) {
  int policy = 9;
  struct sched_param param = {5};
  clockid_t clock;
  char name[8] = "x";
  pthread_attr_t attr;
  cpu_set_t set;
  assert(pthread_setconcurrency(3) == 0 && pthread_getconcurrency() == 3);
  assert(pthread_setconcurrency(-1) == EINVAL);
  assert(pthread_getschedparam(pthread_self(), &policy, &param) == 0);
  assert(policy == SCHED_OTHER && param.sched_priority == 0);
  assert(pthread_setschedparam(pthread_self(), SCHED_FIFO, &param) == 0);
  assert(pthread_setschedprio(pthread_self(), 0) == 0);
  assert(pthread_getcpuclockid(pthread_self(), &clock) == 0);
  assert(pthread_setname_np(pthread_self(), "worker") == 0);
  assert(pthread_getname_np(pthread_self(), name, sizeof name) == 0);
  assert(pthread_getattr_np(pthread_self(), &attr) == 0);
  CPU_ZERO(&set);
  CPU_SET(0, &set);
  assert(pthread_setaffinity_np(pthread_self(), sizeof set, &set) == 0);
  assert(sched_yield() == 0 && usleep(1) == 0 && sleep(1) == 0);
  struct timespec wait = {0, 1};
  assert(nanosleep(&wait, 0) == 0);
  REACHED;
}
