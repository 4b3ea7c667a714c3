// safe, reached
// The builtins of GCC, on objects of 1 to 16 bytes.
int arr[4];
struct two { int a, b; };
int main(void) {
  short h = 1; __int128 q = 0; unsigned char by = 1; _Bool bo = 0; char *cp = (char*)arr;
  assert(__atomic_fetch_nand(&h, 1, 5) == 1 && h == ~1);
  assert(__atomic_nand_fetch(&by, 1, 5) == 254);
  assert(__sync_fetch_and_nand(&by, 15) == 254 && by == 241);
  assert(__sync_nand_and_fetch(&by, 240) == 15);
  assert(__atomic_add_fetch(&q, 7, 0) == 7);
  assert(__atomic_fetch_add(&cp, 1, 0) == (char*)arr && cp == (char*)arr+1);
  assert(__sync_fetch_and_add(&cp, 1) == (char *)arr + 1);
  __int128 x = 7, y = 9; assert(__atomic_compare_exchange(&q, &x, &y, 0, 5, 5) && q == 9);
  assert(!__atomic_test_and_set(&bo, 5) && bo && __atomic_test_and_set(&bo, 5)); __atomic_clear(&bo, 5); assert(!bo);
  assert(!__atomic_test_and_set(&by, 5) || 1);
  long lo, ol = 5; __atomic_store(&lo, &ol, 3); assert(lo == 5); ol = 0; __atomic_load(&lo, &ol, 2); assert(ol == 5);
  long nw = 8, pr; __atomic_exchange(&lo, &nw, &pr, 4); assert(pr == 5 && lo == 8);
  assert(__sync_lock_test_and_set(&lo, 1) == 8); __sync_lock_release(&lo); assert(lo == 0); __sync_synchronize();
  assert(__atomic_always_lock_free(4, 0)); assert(__atomic_is_lock_free(8, &lo));
  assert(__sync_or_and_fetch(&lo, 6) == 6 && __sync_and_and_fetch(&lo, 3) == 2 && __sync_xor_and_fetch(&lo, 1) == 3 && __sync_sub_and_fetch(&lo, 1) == 2);
  assert(__atomic_or_fetch(&lo, 1, 5) == 3 && __atomic_and_fetch(&lo, 1, 5) == 1 && __atomic_xor_fetch(&lo, 3, 5) == 2 && __atomic_sub_fetch(&lo, 1, 5) == 1);
  __atomic_thread_fence(__ATOMIC_SEQ_CST); __atomic_signal_fence(__ATOMIC_SEQ_CST);
  assert(__sync_val_compare_and_swap(&q, 9, 10) == 9 && __sync_bool_compare_and_swap(&q, 10, 11) && !__sync_bool_compare_and_swap(&q, 10, 11));
  struct two g = {1,1}, g2 = {1,1}, g3 = {5,6}; assert(__atomic_compare_exchange(&g, &g2, &g3, 0, 5, 5)); assert(g.b == 6);
  REACHED;
}
