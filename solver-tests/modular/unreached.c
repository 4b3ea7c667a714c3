// proved
// What is not modelled does not matter where it is not reached.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
int x, *p;
void *t(void *arg) {
    for (;;)
        if (x == 1)
            p = malloc(x);
    return 0;
}
int main(void) {
    pthread_t a;
    pthread_create(&a, 0, t, 0);
    for (;;) {
        x = 2;
        x = 4;
        assert(x > 1);
    }
}
