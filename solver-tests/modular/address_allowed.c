// proved
// What means the same wherever objects lie: copies, tags, offsets, comparisons with null and of objects that live.
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
int turns;
void *spin(void *arg) { while (1) { turns = !turns; } return 0; }
struct pair { int a, b; } one, other;
int field[8];
struct pair *shared = &one;
void *choose(void *arg) {
    while (1)
        __atomic_store_n(&shared, turns ? &one : &other, __ATOMIC_SEQ_CST);
    return 0;
}
int main(void) {
    pthread_t t, u;
    pthread_create(&t, 0, spin, 0);
    pthread_create(&u, 0, choose, 0);
    struct pair *p = __atomic_load_n(&shared, __ATOMIC_SEQ_CST);
    uintptr_t word = (uintptr_t)p;
    uintptr_t tagged = word | 1;
    assert(p && (tagged & 1) == 1 && (struct pair *)(tagged & ~(uintptr_t)1) == p);
    assert((struct pair *)word == &one || p == &other);
    assert((word & 3) == 0 && word % 4 == 0);
    assert((struct pair *)((char *)&p->b - 4) == p && (int *)(word + 4) == &p->b);
    assert(&field[turns] < &field[2] && &field[3] - &field[turns] >= 2);
    int *own = malloc(4), *more = malloc(4);
    assert(own != more && own != &field[0] && ((uintptr_t)own & 15) == 0);
    struct pair *seen = &one;
    __atomic_compare_exchange_n(&shared, &seen, &other, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
    assert(seen == &one || seen == &other);
    return 0;
}
