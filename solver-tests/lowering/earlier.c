// Programs from before C23 that declare the words that are keywords there.
#include "check.h"

typedef enum { false, true } bool;
struct words { int bool, nullptr; };
static bool flag;

static int flips(bool flag) { return !flag; }

int main(void) {
  bool x = true;
  int nullptr = 3, constexpr = 4;
  struct words words = {1, 2};
  flag = x;
  check(sizeof(bool) == sizeof(int) && sizeof true == sizeof(int) && flag == true && flips(false));
  check(nullptr == 3 && constexpr++ == 4 && words.bool == 1 && words.nullptr == 2);
  auto int thread_local = 5;
  check(thread_local == 5);
  finish();
}
