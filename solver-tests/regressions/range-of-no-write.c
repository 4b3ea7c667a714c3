// unsafe
// where no write to the only cell stores a word of its range, read-implicit memory (mu) contradicted itself: complete
#include <pthread.h>
#include <assert.h>
int p, k;
void *worker0(void *arg) { int v1=p; return 0; }
void *worker1(void *arg) { p = 5; __atomic_fetch_xor(&k, 7, __ATOMIC_SEQ_CST); return 0; }
int main(void) {
    pthread_t id[2];
    k = 7;
    pthread_create(&id[0], 0, worker0, 0);
    pthread_create(&id[1], 0, worker1, 0);
    __sync_bool_compare_and_swap(&k, 0, 0);
    assert(0);
}
