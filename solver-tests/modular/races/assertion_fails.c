// race
// A thread whose assertion fails has done what comes before it, and others go on.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
unsigned *h;
void *t(void *arg) {
    free(h);
    return 0;
}
int main(void) {
    int l = 0;
    pthread_t a;
    h = malloc(4);
    pthread_create(&a, 0, t, 0);
    h[0] = 5;
    assert(l == 3);
    return 0;
}
