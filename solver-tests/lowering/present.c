// What a program may ask for: what is said to be there is there.
#include "check.h"
#include <stddef.h>

#if !__has_builtin(__builtin_popcountll) || !__has_builtin(__builtin_ssubll_overflow)
#error "bits"
#endif
#if !__has_builtin(__builtin_bswap128) || !__has_builtin(__atomic_compare_exchange)
#error "words"
#endif
#if !__has_attribute(transparent_union) || !__has_attribute(__packed__)
#error "attributes"
#endif
#ifdef __SELVEDGE__
#if __has_builtin(__builtin_frame_address) || __has_builtin(__builtin_shufflevector) || __has_attribute(vector_size)
#error "what is not there"
#endif
#endif

typedef union {
  int *of_int;
  long *of_long;
  const void *of_any;
} any_pointer __attribute__((transparent_union));
typedef union __attribute__((__transparent_union__)) number {
  int whole;
  unsigned natural;
} any_number;

static int reads(any_pointer p) { return *p.of_int; }
static int is_nothing(any_pointer p) { return !p.of_any; }
static unsigned value(any_number n) { return n.natural; }

static void unions(void) {
  int x = 3;
  const int fixed = 5;
  any_pointer p = {.of_int = &x};
  int (*through)(any_pointer) = reads;
  check(reads(&x) == 3 && reads(p) == 3 && through(&x) == 3 && reads((void *)&x) == 3);
  check(is_nothing(0) && is_nothing((void *)0) && !is_nothing(&x) && !is_nothing(&fixed));
  check(value(4) == 4 && value(5u) == 5);
}

static void words(void) {
  unsigned __int128 wide = 1;
  check(__builtin_bswap128(wide) >> 120 == 1 && __builtin_bswap64(1) >> 56 == 1);
#ifdef __SELVEDGE__
  check(__builtin_rotateleft8(0x81, 1) == 3 && __builtin_rotateright16(1, 1) == 0x8000);
  check(__builtin_rotateleft32(5, 0) == 5 && __builtin_rotateright64(1, 65) == 1ull << 63);
  check(__builtin_bitreverse8(1) == 128 && __builtin_bitreverse32(3) == 0xc0000000);
  check(__builtin_unpredictable(7) == 7);
  int limit = 3;
  __builtin_assume(limit > 2);
#endif
  check(__builtin_speculation_safe_value(4) == 4);
  char area[8];
  check(__builtin_dynamic_object_size(area, 0) >= 8);
  __builtin_ia32_pause();
  __builtin___clear_cache(area, area + 8);
}

struct one { char a; };
struct two { char a, b; };
struct four { short a, b; };
struct eight { int a, b; };
struct sixteen { long long a, b; };

#define OPERATIONS(type) \
  do { \
    struct type object = {1}, other = {2}, got; \
    __atomic_load(&object, &got, __ATOMIC_ACQUIRE); \
    check(got.a == 1); \
    __atomic_store(&object, &other, __ATOMIC_RELEASE); \
    check(object.a == 2); \
    other.a = 3; \
    __atomic_exchange(&object, &other, &got, __ATOMIC_SEQ_CST); \
    check(got.a == 2 && object.a == 3); \
    other.a = 4; \
    check(!__atomic_compare_exchange(&object, &got, &other, 0, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED) && got.a == 3); \
    check(__atomic_compare_exchange(&object, &got, &other, 0, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED) && object.a == 4); \
  } while (0)

int main(void) {
  unions();
  words();
  OPERATIONS(one);
  OPERATIONS(two);
  OPERATIONS(four);
  OPERATIONS(eight);
  OPERATIONS(sixteen);
  finish();
}
