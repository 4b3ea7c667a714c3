// proved
// Endless workers count under a mutex.
#include <pthread.h>
unsigned count;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
void *worker(void *arg) {
    for (;;) {
        pthread_mutex_lock(&m);
        count++;
        pthread_mutex_unlock(&m);
    }
}
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, worker, 0);
    pthread_create(&b, 0, worker, 0);
    for (;;) {
        pthread_mutex_lock(&m);
        count--;
        pthread_mutex_unlock(&m);
    }
}
