// A coin that is moved between two purses under their locks, and an audit: it is in one of them. Broken: the audit looks into
// the purses one after the other.
#include <assert.h>
#include <pthread.h>
pthread_mutex_t first = PTHREAD_MUTEX_INITIALIZER, second = PTHREAD_MUTEX_INITIALIZER;
_Bool a = 1, b;
void *transfer(void *arg) {
    while (1) {
        pthread_mutex_lock(&first);
        pthread_mutex_lock(&second);
        a = !a;
        b = !b;
        pthread_mutex_unlock(&second);
        pthread_mutex_unlock(&first);
    }
}
void *audit(void *arg) {
    while (1) {
        pthread_mutex_lock(&first);
        _Bool seen = a;
#ifdef BROKEN
        pthread_mutex_unlock(&first);
#endif
        pthread_mutex_lock(&second);
        assert(seen != b);
        pthread_mutex_unlock(&second);
#ifndef BROKEN
        pthread_mutex_unlock(&first);
#endif
    }
}
int main(void) {
    pthread_t t[2];
    pthread_create(&t[0], 0, transfer, 0);
    pthread_create(&t[1], 0, audit, 0);
    pthread_join(t[0], 0);
    pthread_join(t[1], 0);
}
