#include <assert.h>
#include <pthread.h>
extern unsigned char __VERIFIER_nondet_uchar(void);
unsigned char c[3][3];
_Bool done[3][3];
void *row0(void *arg) {
    for (int j = 0; j < 3; j++) {
        while (!done[1][j]) ;
        unsigned char value = c[1][j];
        if (j > 0)
            value += c[1][j - 1];
        c[0][j] = value;
        done[0][j] = 1;
    }
    assert(c[0][2] != 1);
    return 0;
}
void *row1(void *arg) {
    for (int j = 0; j < 3; j++) {
        while (!done[2][j]) ;
        unsigned char value = c[2][j];
        if (j > 0)
            value += c[2][j - 1];
        c[1][j] = value;
        done[1][j] = 1;
    }
    return 0;
}
void *row2(void *arg) {
    for (int j = 0; j < 3; j++) {
        c[2][j] = j == 0;
        done[2][j] = 1;
    }
    return 0;
}
int main(void) {
    pthread_t t[3];
    pthread_create(&t[0], 0, row0, 0);
    pthread_create(&t[1], 0, row1, 0);
    pthread_create(&t[2], 0, row2, 0);
    return 0;
}
