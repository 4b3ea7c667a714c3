// Producers and a consumer with a lock: a buffer of two is never overrun. Broken: a producer looks without the lock.
#include <assert.h>
#include <pthread.h>
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
unsigned char count;
void *producer(void *arg) {
    while (1) {
#ifdef BROKEN
        int full = count == 2;
        pthread_mutex_lock(&lock);
#else
        pthread_mutex_lock(&lock);
        int full = count == 2;
#endif
        if (!full) count++;
        assert(count <= 2);
        pthread_mutex_unlock(&lock);
    }
}
void *consumer(void *arg) {
    while (1) {
        pthread_mutex_lock(&lock);
        if (count) count--;
        pthread_mutex_unlock(&lock);
    }
}
int main(void) {
    pthread_t t[3];
    pthread_create(&t[0], 0, producer, 0);
    pthread_create(&t[1], 0, producer, 0);
    pthread_create(&t[2], 0, consumer, 0);
    for (int i = 0; i < 3; i++) pthread_join(t[i], 0);
}
