// violated
// As counter.c, but one thread looks without the mutex.
#include <assert.h>
#include <pthread.h>
unsigned count;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
void *up(void *arg) {
    for (;;) {
        pthread_mutex_lock(&m);
        count++;
        count++;
        pthread_mutex_unlock(&m);
    }
}
int main(void) {
    pthread_t a;
    pthread_create(&a, 0, up, 0);
    for (;;)
        assert(count % 2 == 0);
}
