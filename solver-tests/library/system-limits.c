// safe, reached
#include <sys/resource.h>
int main(void) {
  struct rlimit limit;
  if (getrlimit(RLIMIT_NOFILE, &limit) == 0)
    assert(limit.rlim_cur <= limit.rlim_max);
  REACHED;
}
