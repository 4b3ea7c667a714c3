// safe
// A start routine with a parameter more than it gets: undefined where the thread is created, for the enumeration, too.
#include <assert.h>
#include <pthread.h>

int x, y;

void *two(void *unused, int more) {
    if (more) x = 1;
    return 0;
}

void *look(void *unused) {
    assert(!x);
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, look, NULL);
    y = 1;
    pthread_create(&b, NULL, (void *(*)(void *))two, NULL);
    assert(0);
}
