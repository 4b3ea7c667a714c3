// violated
// A tag that another thread sets is not always there.
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
int turns;
void *spin(void *arg) { while (1) { turns = !turns; } return 0; }
uintptr_t word;
void *set(void *arg) {
    while (1)
        __atomic_fetch_or(&word, 1, __ATOMIC_SEQ_CST);
    return 0;
}
int main(void) {
    pthread_t t;
    word = (uintptr_t)&turns;
    pthread_create(&t, 0, set, 0);
    uintptr_t seen = __atomic_load_n(&word, __ATOMIC_SEQ_CST);
    assert((seen & 1) == 0);
    return 0;
}
