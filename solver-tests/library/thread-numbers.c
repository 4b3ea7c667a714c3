// safe, reached
#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>
int numbers[2];
void *work(void *arg) {
  numbers[1] = syscall(SYS_gettid);
  return arg;
}
int main(void) {
  pthread_t other;
  pthread_create(&other, 0, work, 0);
  numbers[0] = gettid();
  pthread_join(other, 0);
  assert(numbers[0] != numbers[1] && numbers[0] == gettid());
  REACHED;
}
