#include <assert.h>
#include <pthread.h>
extern unsigned char __VERIFIER_nondet_uchar(void);
unsigned char a[3][2], sum[3][2];
_Bool done[3][2];
void *row0(void *arg) {
    unsigned char own = 0;
    for (int j = 0; j < 2; j++) {
        own += a[0][j];
        while (!done[1][j]) ;
        sum[0][j] = own + sum[1][j];
        done[0][j] = 1;
    }
    assert(sum[0][1] == (unsigned char)(a[0][0] + a[0][1] + a[1][0] + a[1][1] + a[2][0] + a[2][1]));
    return 0;
}
void *row1(void *arg) {
    unsigned char own = 0;
    for (int j = 0; j < 2; j++) {
        own += a[1][j];
        while (!done[2][j]) ;
        sum[1][j] = own + sum[2][j];
        done[1][j] = 1;
    }
    return 0;
}
void *row2(void *arg) {
    unsigned char own = 0;
    for (int j = 0; j < 2; j++) {
        own += a[2][j];
        sum[2][j] = own;
        done[2][j] = 1;
    }
    return 0;
}
int main(void) {
    pthread_t t[3];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 2; j++)
            a[i][j] = __VERIFIER_nondet_uchar();
    pthread_create(&t[0], 0, row0, 0);
    pthread_create(&t[1], 0, row1, 0);
    pthread_create(&t[2], 0, row2, 0);
    return 0;
}
