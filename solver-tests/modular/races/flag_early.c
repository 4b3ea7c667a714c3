// race
// The flag is given back before the data has been read.
#include <pthread.h>
#include <stdatomic.h>
atomic_int full;
int data;
void *producer(void *arg) {
    for (;;) {
        while (full);
        data++;
        full = 1;
    }
}
void *consumer(void *arg) {
    int sum = 0;
    for (;;) {
        while (!full);
        full = 0;
        sum += data;
    }
}
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, producer, 0);
    pthread_create(&b, 0, consumer, 0);
    pthread_join(a, 0);
    return 0;
}
