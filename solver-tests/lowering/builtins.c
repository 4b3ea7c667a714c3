// Builtins of GCC and the generic atomic functions, in one thread.
#include "check.h"
#include <stdatomic.h>
#include <stddef.h>

_Atomic int ai = 5;
_Atomic(int *) ap;
_Atomic unsigned char ac = 250;
_Atomic _Bool ab;
atomic_flag flag = ATOMIC_FLAG_INIT;
int plain, items[4];
int *pointer = items;

int main(void) {
  check(ai++ == 5 && ++ai == 7 && (ai += 3) == 10 && (ai -= 1) == 9 && (ai *= 2) == 18 && (ai |= 1) == 19);
  check((ai ^= 2) == 17 && (ai &= 16) == 16 && ai-- == 16 && (ai = 3) == 3 && (ai <<= 2) == 12);
  ac += 10;
  check(ac == 4);
  ab = 7;
  check(ab == 1);
  ap = items;
  check(ap++ == items && ap == items + 1 && (ap += 2) == items + 3);
  check(atomic_fetch_add(&ai, 4) == 12 && atomic_load(&ai) == 16);
  check(atomic_fetch_sub_explicit(&ai, 1, memory_order_relaxed) == 16 && atomic_exchange(&ai, 2) == 15);
  int expected = 3;
  check(!atomic_compare_exchange_strong(&ai, &expected, 9) && expected == 2);
  check(atomic_compare_exchange_weak(&ai, &expected, 9) && ai == 9 && expected == 2);
  atomic_store_explicit(&ai, 1, memory_order_release);
  check(atomic_load_explicit(&ai, memory_order_acquire) == 1);
  check(!atomic_flag_test_and_set(&flag) && atomic_flag_test_and_set(&flag));
  atomic_flag_clear(&flag);
  check(!atomic_flag_test_and_set(&flag));
  check(__sync_fetch_and_add(&plain, 5) == 0 && __sync_add_and_fetch(&plain, 2) == 7);
  check(__sync_val_compare_and_swap(&plain, 7, 1) == 7 && __sync_bool_compare_and_swap(&plain, 7, 1) == 0);
  check(__sync_lock_test_and_set(&plain, 9) == 1 && plain == 9);
  __sync_lock_release(&plain);
  check(plain == 0 && __sync_nand_and_fetch(&plain, 1) == -1);
  check(__atomic_fetch_nand(&plain, 6, 5) == -1 && plain == ~6);
  check(__atomic_add_fetch(&pointer, sizeof(int), __ATOMIC_SEQ_CST) == items + 1);
  int value = 8, got;
  __atomic_store(&plain, &value, __ATOMIC_RELEASE);
  __atomic_load(&plain, &got, __ATOMIC_ACQUIRE);
  check(got == 8);
  __atomic_exchange(&plain, &got, &value, 5);
  check(value == 8);
  got = 1;
  check(!__atomic_compare_exchange_n(&plain, &got, 4, 0, 5, 5) && got == 8);
  atomic_thread_fence(memory_order_seq_cst);
  struct pair { short a, b; } one = {1, 2}, two;
  __atomic_load(&one, &two, 5);
  check(two.b == 2);
  check(__builtin_expect(plain == 8, 1) && __builtin_constant_p(3) && !__builtin_constant_p(plain));
  check(__builtin_popcount(0xf0f) == 8 && __builtin_clz(1) == 31 && __builtin_ctz(8) == 3 && __builtin_ffs(0) == 0);
  check(__builtin_ctzll(1ull << 40) == 40 && __builtin_parity(7) == 1 && __builtin_ffs(12) == 3);
  check(__builtin_bswap32(0x01020304) == 0x04030201 && __builtin_bswap16(0x0102) == 0x0201);
  int sum;
  check(__builtin_add_overflow(2147483647, 1, &sum) && sum == -2147483647 - 1);
  check(!__builtin_mul_overflow(1000, 1000, &sum) && sum == 1000000);
  unsigned char small;
  check(__builtin_sub_overflow(1, 2, &small) && small == 255);
  check(__builtin_choose_expr(1, 3, 4.5) == 3);
  if (plain == 100) __builtin_unreachable();
  check(__func__[0] == 'm' && sizeof(__func__) == 5);
  __asm__ volatile("" ::: "memory");
  typeof(plain) same = 3;
  __typeof__(&same) address = &same;
  check(*address == 3);
  _Alignas(64) char buffer[3];
  check(sizeof buffer == 3 && _Alignof(int) == 4);
  finish();
}
