// proved
// Three endless threads and a lock made of compare-and-exchange; each gets the address of its own number.
#include <assert.h>
#include <pthread.h>
int taken, owner;
int numbers[3] = {1, 2, 3};
void *worker(void *arg) {
    int me = *(int *)arg;
    for (;;) {
        while (__sync_val_compare_and_swap(&taken, 0, 1) != 0);
        owner = me;
        assert(owner == me);
        __sync_lock_release(&taken);
    }
}
int main(void) {
    pthread_t t[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&t[i], 0, worker, &numbers[i]);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], 0);
}
