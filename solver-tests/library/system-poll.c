// safe, reached
#include <poll.h>
int main(void) {
  struct pollfd file = {.fd = 0, .events = POLLIN};
  int ready = poll(&file, 1, 0);
  if (ready >= 0)
    assert((file.revents & POLLOUT) == 0 && ready == (file.revents != 0));
  REACHED;
}
