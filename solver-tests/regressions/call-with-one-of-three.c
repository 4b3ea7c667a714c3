// safe
// A function pointer that may be one of two, called with one argument: the arguments that the other function lacks had one value.
#include <assert.h>
#include <pthread.h>

int x, y;

int one(int a) { return a; }

int three(int a, int b, int c) {
    if (b == 0 && c == 1 && y) assert(0);
    return a;
}

int (*which)(int) = one;

void *swap(void *unused) {
    which = (int (*)(int))three;
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, swap, 0);
    y = 1;
    x = which(3);
    assert(x == 3);
}
