// race
// The data is touched where the lock may not have been taken.
#include <pthread.h>
extern int __VERIFIER_nondet_int(void);
int data;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
void *worker(void *arg) {
    for (;;) {
        int c = __VERIFIER_nondet_int() != 0;
        if (c)
            pthread_mutex_lock(&m);
        data++;
        if (c)
            pthread_mutex_unlock(&m);
    }
}
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, worker, 0);
    pthread_create(&b, 0, worker, 0);
    pthread_join(a, 0);
    return 0;
}
