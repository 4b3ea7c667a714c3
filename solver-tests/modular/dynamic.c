// unsupported
// Threads without end.
#include <assert.h>
#include <pthread.h>
int x;
void *t(void *arg) { x = 1; return 0; }
int main(void) {
    pthread_t a;
    while (x == 0)
        pthread_create(&a, 0, t, 0);
    assert(x == 1);
}
