#include <assert.h>
#include <pthread.h>
extern unsigned char __VERIFIER_nondet_uchar(void);
unsigned char slot[3];
_Bool full[3];
void *stage0(void *arg) {
    while (1) {
        while (!full[1]) ;
        unsigned char value = slot[1];
        full[1] = 0;
        assert(value != 6);
    }
    return 0;
}
void *stage1(void *arg) {
    while (1) {
        while (!full[2]) ;
        unsigned char value = slot[2];
        full[2] = 0;
        while (full[1]) ;
        slot[1] = value;
        full[1] = 1;
    }
    return 0;
}
void *stage2(void *arg) {
    while (1) {
        unsigned char value = __VERIFIER_nondet_uchar();
        while (full[2]) ;
        slot[2] = value == 7 ? 6 : value;
        full[2] = 1;
    }
    return 0;
}
int main(void) {
    pthread_t t[3];
    pthread_create(&t[0], 0, stage0, 0);
    pthread_create(&t[1], 0, stage1, 0);
    pthread_create(&t[2], 0, stage2, 0);
    return 0;
}
