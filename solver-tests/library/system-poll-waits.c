// safe, reached
// Without a limit of time it returns only if something has happened, which it never has where there is no file.
#include <poll.h>
int main(void) {
  struct pollfd file = {.fd = -1, .events = POLLIN};
  assert(poll(&file, 1, -1) == -1);
  file.fd = 0;
  assert(poll(&file, 1, -1) != 0);
  REACHED;
}
