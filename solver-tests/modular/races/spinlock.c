// proved
// A lock of an atomic exchange.
#include <pthread.h>
#include <stdatomic.h>
atomic_int lock;
int data;
void *t(void *arg) {
    for (;;) {
        while (atomic_exchange(&lock, 1));
        data++;
        lock = 0;
    }
}
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, t, 0);
    pthread_create(&b, 0, t, 0);
    pthread_join(a, 0);
    return 0;
}
