// proved
// Endless workers count up and down under a mutex; whoever holds it sees an even number.
#include <assert.h>
#include <pthread.h>
unsigned count;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
void *up(void *arg) {
    for (;;) {
        pthread_mutex_lock(&m);
        assert(count % 2 == 0);
        count++;
        count++;
        pthread_mutex_unlock(&m);
    }
}
void *down(void *arg) {
    for (;;) {
        pthread_mutex_lock(&m);
        count--;
        assert(count % 2 == 1);
        count--;
        pthread_mutex_unlock(&m);
    }
}
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, up, 0);
    pthread_create(&b, 0, down, 0);
    for (;;) {
        pthread_mutex_lock(&m);
        assert(count % 2 == 0);
        pthread_mutex_unlock(&m);
    }
}
