// undefined
// A thread starts at a function with a parameter more than it gets.
#include <assert.h>
#include <pthread.h>
int x;
void *t(void *arg, int more) {
    if (more) x = 1;
    return 0;
}
int main(void) {
    pthread_t a;
    pthread_create(&a, 0, (void *(*)(void *))t, 0);
    pthread_join(a, 0);
    assert(x == 0);
}
