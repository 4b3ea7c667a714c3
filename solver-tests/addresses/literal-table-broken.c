// expect: failed
// Equal literals in a table and at a call are compared by address.
#include <assert.h>
static const char *names[] = {"first", "second"};
static int find(const char *name) {
  for (int i = 0; i < 2; i++)
    if (names[i] == name) return i;
  return -1;
}
int main(void) { assert(find("second") == 1); }
