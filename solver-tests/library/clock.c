// safe, reached
#include <sys/time.h>
#include <time.h>
int main(void) {
  struct timespec now;
  struct timeval day;
  assert(clock_gettime(CLOCK_REALTIME, &now) == 0);
  assert(now.tv_sec >= 0 && now.tv_nsec >= 0 && now.tv_nsec < 1000000000);
  assert(gettimeofday(&day, 0) == 0 && day.tv_usec >= 0 && day.tv_usec < 1000000);
  assert(timespec_get(&now, TIME_UTC) == TIME_UTC);
  REACHED;
}
