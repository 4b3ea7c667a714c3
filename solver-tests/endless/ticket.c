// A ticket lock of fetch-and-increment, with numbers that wrap after two: enough for two threads. Broken: the ticket is drawn
// in two steps.
#include <assert.h>
#include <pthread.h>
unsigned char next, serving;
int owner;
void *worker(void *arg) {
    int me = arg != 0;
    while (1) {
#ifdef BROKEN
        unsigned char mine = next;
        next = mine + 128;
#else
        unsigned char mine = __sync_fetch_and_add(&next, 128);
#endif
        while (serving != mine);
        owner = me;
        assert(owner == me);
        serving += 128;
    }
}
int main(void) {
    pthread_t t[2];
    pthread_create(&t[0], 0, worker, 0);
    pthread_create(&t[1], 0, worker, &owner);
    pthread_join(t[0], 0);
    pthread_join(t[1], 0);
}
