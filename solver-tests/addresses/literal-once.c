// expect: complete
// One literal is one object, however often control comes there.
#include <assert.h>
static const char *name(void) { return "ab"; }
int main(void) {
  const char *p = name(), *q = name();
  assert(p == q);
  const char *last = 0;
  for (int i = 0; i < 2; i++) {
    const char *now = "ab";
    assert(!last || last == now);
    last = now;
  }
}
