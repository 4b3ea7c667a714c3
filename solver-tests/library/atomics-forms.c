// safe, reached
// Operators, qualifiers and odd objects.
#include <stdatomic.h>
struct node { int v; struct node *next; };
_Atomic(struct node *) top; atomic_uint_least32_t x32; 
volatile atomic_int vi; static _Atomic int si; _Atomic volatile long vl;
const atomic_int ci = 4;
_Atomic unsigned char bytes[3];
struct s3 { char c[3]; }; _Atomic struct s3 odd;
_Atomic float fl; 
int main(void){ struct node n = {1, 0}; struct node *e = 0;
 assert(atomic_compare_exchange_strong(&top, &e, &n)); assert(atomic_load(&top)->v == 1);
 vi++; assert(atomic_load_explicit(&vi, memory_order_relaxed) == 1); vl = 3; vl--; assert(vl == 2);
 assert(atomic_load(&ci) == 4); bytes[1] += 300; assert(bytes[1] == 44);
 memory_order o = memory_order_relaxed; atomic_store_explicit(&si, 3, o); assert(si == 3);
 struct s3 z = {{1,2,3}}; odd = z; struct s3 y = odd; assert(y.c[2] == 3);
 atomic_int *pi = &si; (*pi)++; assert(*pi == 4); assert((*pi += 2) == 6); assert((*pi)-- == 6);
 si = si * 2; si <<= 1; assert(si == 20); si /= 3; assert(si == 6); si %= 4; assert(si == 2);
 _Bool lk = ATOMIC_INT_LOCK_FREE == 2; assert(lk);
 REACHED;
}
