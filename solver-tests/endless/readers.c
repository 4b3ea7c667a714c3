// Two readers and a writer: readers share, the writer is alone. Broken: a reader looks for the writer without the lock.
#include <assert.h>
#include <pthread.h>
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
_Bool reading[2], writing;
void *reader(void *arg) {
    int me = arg != 0;
    while (1) {
#ifdef BROKEN
        _Bool free = !writing;
        pthread_mutex_lock(&lock);
#else
        pthread_mutex_lock(&lock);
        _Bool free = !writing;
#endif
        reading[me] = free;
        pthread_mutex_unlock(&lock);
        if (free) {
            assert(!writing);
            reading[me] = 0;
        }
    }
}
void *writer(void *arg) {
    while (1) {
        pthread_mutex_lock(&lock);
        writing = !reading[0] && !reading[1];
        pthread_mutex_unlock(&lock);
        writing = 0;
    }
}
int main(void) {
    pthread_t t[3];
    pthread_create(&t[0], 0, reader, 0);
    pthread_create(&t[1], 0, reader, &lock);
    pthread_create(&t[2], 0, writer, 0);
    for (int i = 0; i < 3; i++) pthread_join(t[i], 0);
}
