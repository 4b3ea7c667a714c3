// undefined
// A thread may divide by zero; nothing else is wrong.
#include <assert.h>
#include <pthread.h>
int x = 1;
void *t(void *arg) {
    for (;;) {
        x = 0;
        x = 1;
    }
}
int main(void) {
    pthread_t a;
    pthread_create(&a, 0, t, 0);
    int y = 1 / x;
    assert(y == 1);
}
