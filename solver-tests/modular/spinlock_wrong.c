// violated
// As spinlock.c, but testing and setting are two steps; each thread gets the address of a local of main.
#include <assert.h>
#include <pthread.h>
int taken, owner;
void *worker(void *arg) {
    int me = *(int *)arg;
    for (;;) {
        while (taken);
        taken = 1;
        owner = me;
        assert(owner == me);
        taken = 0;
    }
}
int main(void) {
    pthread_t t[2];
    int numbers[2];
    for (int i = 0; i < 2; i++) {
        numbers[i] = i + 1;
        pthread_create(&t[i], 0, worker, &numbers[i]);
    }
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], 0);
}
