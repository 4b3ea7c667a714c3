// C23: what compilers accept by default today. (Compilers that do not are not asked.)
#include "check.h"
#include <stdarg.h>
#include <stddef.h>

#if 0b11 != 3 || 1'000 != 1000 || !__has_c_attribute(nodiscard) || !__has_include(<stddef.h>)
#error "not C23"
#endif
#define ONE
#ifdef OTHER
#elifndef ONE
#error "no such branch"
#elifdef ONE
static int branch = 1;
#endif

typedef int T;
struct pair { int a, b; };
struct [[gnu::packed]] tight { char a; int b; };
struct [[deprecated("old")]] plain { char a [[maybe_unused]]; int b; };
constexpr int three = 3;
static constexpr unsigned char narrow = 255;
constexpr double half = 0.5;
constexpr int table[] = {1, 2, three};
static int sized[three];
static struct pair zeros = {};
thread_local int own;
static thread_local int hidden = 4;
static int released;

[[nodiscard]] static int ignores([[maybe_unused]] int a, int) { return a; }
static int takes(void *, int (*)(int), const char *, struct pair *) { return 2; }
static int is_null(int *p) { return p == nullptr; }
static bool negates(bool b) { return !b; }
static int last(int n, ...) {
  va_list list;
  va_start(list);
  int value = va_arg(list, int);
  va_end(list);
  return value + n;
}
static void release(int **p) { **p = 7; }

static void constants(void) {
  constexpr int local = three + 1;
  constexpr T zero = {};
  int list[local];
  enum { from = three };
  static_assert(local == 4);
  static_assert(true && !false, "as well");
  switch (4) {
  case local: break;
  default: check(0);
  }
  const int *p = &three;
  check(sizeof sized == 3 * sizeof(int) && sizeof list == 4 * sizeof(int) && from == 3 && *p == 3 && zero == 0);
  check(narrow + 1 == 256 && sizeof narrow == 1 && half == 0.5 && table[2] == 3);
  {
    int three = 5;
    three++;
    check(three == 6);
  }
  check(0b1010 == 10 && 1'000'000 == 1000000 && 0xff'ff == 65535 && 1'0.5 == 10.5 && u8'a' == 97);
}

static void types(void) {
  const int a = 1;
  typeof(a) *q = &a;
  typeof_unqual(a) b = 2;
  b = 3;
  auto real = 1.5;
  static auto kept = 4;
  const auto fixed = 3u;
  for (auto i = 0; i < 1; i++) b += i;
  check(*q == 1 && b == 3 && real * 2 == 3 && kept == 4 && fixed - 4 > 0);
  check(sizeof(bool) == 1 && sizeof(true) == 1 && true + true == 2 && negates(false) && !negates(true));
  int *p = nullptr;
  nullptr_t none = nullptr;
  p = none;
  check(!p && is_null(nullptr) && is_null(p) && sizeof nullptr == sizeof(void *));
  own = 1;
  check(own + hidden == 5 && alignof(int) == 4);
  alignas(16) char aligned[3];
  check((size_t)aligned % 16 == 0);
}

static int labels(int x) {
  goto start;
start:
  T y = 2;
  switch (x) {
  case 1:
    int z = 3;
    check(z == 3);
    break;
  case 1 + 1:
    T *p = &y;
    check(*p == 2);
    [[fallthrough]];
  default:
    T w = 2;
    y += w;
  }
assertion:
  static_assert(sizeof(T) == 4);
  if (x < 0)
    goto end;
  return y;
end:
}

static void attributes(void) {
  int wide [[gnu::aligned(64)]] = 0;
  check(_Alignof(struct tight) == 1 && sizeof(struct tight) == 5 && sizeof(struct plain) == 8);
  check((size_t)&wide % 64 == 0);
  {
    [[gnu::cleanup(release)]] int *p = &released;
    check(*p == 0);
  }
  check(released == 7);
}

static int sum(struct pair p) { return p.a + p.b; }

int main(void) {
  struct pair empty = {};
  int list[3] = {}, number = {}, *pointer = {};
  struct { struct pair p; int k[2]; } nested = {{}, {}};
  check(!empty.a && !list[2] && !number && !pointer && !nested.p.b && !nested.k[1] && !zeros.b && branch);
  check(sum((struct pair){}) == 0 && ((struct pair){}).a == 0);
  check(ignores(3, 4) == 3 && takes(nullptr, nullptr, "", nullptr) == 2 && last(1, 2) == 3);
  constants();
  types();
  check(labels(1) == 2 && labels(2) == 4 && labels(3) == 4);
  attributes();
  finish();
}
