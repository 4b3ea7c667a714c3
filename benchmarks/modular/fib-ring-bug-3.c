#include <assert.h>
#include <pthread.h>
extern unsigned char __VERIFIER_nondet_uchar(void);
unsigned char x[3] = { 1, 1, 1 };
void *t0(void *arg) {
    for (int i = 0; i < 2; i++)
        x[0] += x[1];
    assert(x[0] <= 14);
    return 0;
}
void *t1(void *arg) {
    for (int i = 0; i < 2; i++)
        x[1] += x[2];
    return 0;
}
void *t2(void *arg) {
    for (int i = 0; i < 2; i++)
        x[2] += x[0];
    return 0;
}
int main(void) {
    pthread_t t[3];
    pthread_create(&t[0], 0, t0, 0);
    pthread_create(&t[1], 0, t1, 0);
    pthread_create(&t[2], 0, t2, 0);
    return 0;
}
