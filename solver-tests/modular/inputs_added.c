// proved
// A worker waits, for ever within its lock, until something is there; main adds as often as an input says. What is known of
// main's moves needs bits that what is bad in the worker does not depend on.
#include <assert.h>
#include <pthread.h>
int there;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
void *take(void *unused) {
    for (;;) {
        pthread_mutex_lock(&lock);
        while (there <= 0) {}
        assert(there != 0);
        if (there > 0) there--;
        pthread_mutex_unlock(&lock);
    }
}
int main(int argc, char **argv) {
    pthread_t t;
    pthread_create(&t, 0, take, 0);
    for (int i = 0; i < argc; i++) {
        pthread_mutex_lock(&lock);
        there++;
        pthread_mutex_unlock(&lock);
    }
    return 0;
}
