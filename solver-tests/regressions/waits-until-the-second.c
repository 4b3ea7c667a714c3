// unsafe
// A wait with a condition variable was dropped like other iterations that change nothing, though it lets others have the mutex: nobody came
// out of a barrier but the last one.
#include <assert.h>
#include <pthread.h>
int seen, leaving, passed;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, count = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t all = PTHREAD_COND_INITIALIZER;
void come(void) {
    pthread_mutex_lock(&m);
    if (++seen == 2) {
        leaving = 1;
        pthread_cond_broadcast(&all);
    }
    while (!leaving)
        pthread_cond_wait(&all, &m);
    pthread_mutex_unlock(&m);
    pthread_mutex_lock(&count);
    assert(++passed != 2);
    pthread_mutex_unlock(&count);
}
void *worker(void *arg) {
    come();
    return 0;
}
int main(void) {
    pthread_t id;
    pthread_create(&id, 0, worker, 0);
    come();
    pthread_join(id, 0);
    return 0;
}
