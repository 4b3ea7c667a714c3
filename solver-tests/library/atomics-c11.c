// safe, reached
// Every type and generic function of <stdatomic.h>.
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stddef.h>
atomic_bool b; atomic_char c; atomic_schar sc; atomic_uchar uc; atomic_short s; atomic_ushort us; atomic_int i; atomic_uint u;
atomic_long l; atomic_ulong ul; atomic_llong ll; atomic_ullong ull; atomic_char16_t c16; atomic_char32_t c32; atomic_wchar_t wc;
atomic_int_least8_t l8; atomic_uint_fast64_t f64; atomic_intptr_t ip; atomic_uintptr_t uip; atomic_size_t sz; atomic_ptrdiff_t pd; atomic_intmax_t im; atomic_uintmax_t um;
_Atomic(int *) p; int arr[4];
atomic_flag fl = ATOMIC_FLAG_INIT;
atomic_int v = ATOMIC_VAR_INIT(5);
struct two { int a, b; }; _Atomic struct two w;
struct three { char x[3]; }; 
_Atomic(__int128) big;
_Atomic double d;
int main(void) {
  atomic_init(&i, 3);
  assert(atomic_load(&i) == 3);
  assert(atomic_fetch_add(&i, 2) == 3 && i == 5);
  assert(atomic_fetch_sub_explicit(&i, 1, memory_order_relaxed) == 5);
  assert(atomic_fetch_or(&i, 3) == 4 && i == 7);
  assert(atomic_fetch_and(&i, 6) == 7 && atomic_fetch_xor(&i, 2) == 6 && i == 4);
  int e = 0;
  assert(!atomic_compare_exchange_strong(&i, &e, 9) && e == 4);
  assert(atomic_compare_exchange_weak_explicit(&i, &e, 9, memory_order_acq_rel, memory_order_acquire) && i == 9);
  assert(atomic_exchange(&i, 1) == 9);
  assert(atomic_is_lock_free(&i));
  atomic_init(&p, arr);
  assert(atomic_fetch_add(&p, 2) == arr && p == arr + 2);
  atomic_fetch_sub(&p, 1); assert(p == &arr[1]);
  p++; assert(p == &arr[2]); p -= 2; assert(p == arr);
  assert(!atomic_flag_test_and_set(&fl) && atomic_flag_test_and_set_explicit(&fl, memory_order_acquire));
  atomic_flag_clear(&fl); assert(!atomic_flag_test_and_set(&fl)); atomic_flag_clear_explicit(&fl, memory_order_release);
  assert(v == 5);
  struct two t = {1, 2}; atomic_store(&w, t); struct two r = atomic_load(&w); assert(r.a == 1 && r.b == 2);
  struct two n = {3, 4}; r = atomic_exchange(&w, n); assert(r.b == 2);
  assert(atomic_compare_exchange_strong(&w, &n, t));
  big = 1; big += ((__int128)1 << 100); assert((long)(big >> 100) == 1 && (int)big == 1);
  assert(atomic_fetch_add(&big, 5) != 0 && (int)big == 6);
  b = true; assert(atomic_exchange(&b, false)); b |= 1; assert(b);
  uc = 255; uc++; assert(uc == 0); sc = 127; assert(atomic_fetch_add(&sc, 1) == 127 && sc == -128);
  assert(kill_dependency(e) == 4);
  atomic_thread_fence(memory_order_seq_cst); atomic_signal_fence(memory_order_acquire);
  ll = 1LL << 40; ll *= 2; ll >>= 41; assert(ll == 1);
  _Static_assert(sizeof(atomic_int) == sizeof(int), "");
  REACHED;
}
