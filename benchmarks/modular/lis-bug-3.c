#include <assert.h>
#include <pthread.h>
extern unsigned char __VERIFIER_nondet_uchar(void);
unsigned char a[3];
unsigned char longest[3];
_Bool done[3];
void *at0(void *arg) {
    unsigned char best = 0;
    longest[0] = best + 1;
    done[0] = 1;
    return 0;
}
void *at1(void *arg) {
    unsigned char best = 0;
    while (!done[0]) ;
    if (a[0] < a[1]) {
        unsigned char l = longest[0];
        if (l > best)
            best = l;
    }
    longest[1] = best + 1;
    done[1] = 1;
    return 0;
}
void *at2(void *arg) {
    unsigned char best = 0;
    while (!done[0]) ;
    if (a[0] < a[2]) {
        unsigned char l = longest[0];
        if (l > best)
            best = l;
    }
    while (!done[1]) ;
    if (a[1] < a[2]) {
        unsigned char l = longest[1];
        if (l > best)
            best = l;
    }
    longest[2] = best + 1;
    done[2] = 1;
    assert(best < 2);
    return 0;
}
int main(void) {
    pthread_t t[3];
    for (int i = 0; i < 3; i++)
        a[i] = __VERIFIER_nondet_uchar();
    pthread_create(&t[0], 0, at0, 0);
    pthread_create(&t[1], 0, at1, 0);
    pthread_create(&t[2], 0, at2, 0);
    return 0;
}
