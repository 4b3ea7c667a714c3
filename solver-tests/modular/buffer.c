// proved
// One slot between a producer and a consumer that never end: what comes out went in.
#include <assert.h>
#include <pthread.h>
extern unsigned char __VERIFIER_nondet_uchar(void);
unsigned char slot[2];
int full;
void *producer(void *arg) {
    for (;;) {
        while (full);
        unsigned char value = __VERIFIER_nondet_uchar() & 7;
        slot[0] = value;
        slot[1] = value + 1;
        full = 1;
    }
}
void *consumer(void *arg) {
    for (;;) {
        while (!full);
        assert(slot[1] == slot[0] + 1);
        assert(slot[0] < 8);
        full = 0;
    }
}
int main(void) {
    pthread_t t[2];
    pthread_create(&t[0], 0, producer, 0);
    pthread_create(&t[1], 0, consumer, 0);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], 0);
}
