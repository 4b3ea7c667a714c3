// A request and its acknowledgement, four phases over and over: data are read while they are stable. Broken: the sender does not
// wait until its acknowledgement is taken back.
#include <assert.h>
#include <pthread.h>
extern unsigned char __VERIFIER_nondet_uchar(void);
int request, acknowledge;
unsigned char data[2];
void *sender(void *arg) {
    while (1) {
#ifndef BROKEN
        while (acknowledge);
#endif
        data[0] = __VERIFIER_nondet_uchar();
        data[1] = data[0];
        request = 1;
        while (!acknowledge);
        request = 0;
    }
}
void *receiver(void *arg) {
    while (1) {
        while (!request);
        assert(data[0] == data[1]);
        acknowledge = 1;
        while (request);
        acknowledge = 0;
    }
}
int main(void) {
    pthread_t t[2];
    pthread_create(&t[0], 0, sender, 0);
    pthread_create(&t[1], 0, receiver, 0);
    pthread_join(t[0], 0);
    pthread_join(t[1], 0);
}
