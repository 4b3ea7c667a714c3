// violated
// A variable is read while its scope lasts, after the last visible operation of the thread whose scope it is.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
atomic_int ready;
void *reader(void *arg) {
    int *seen = arg;
    while (!ready) {
    }
    assert(*seen != 5);
    return 0;
}
void start(void) {
    int local = 5;
    pthread_t id;
    pthread_create(&id, 0, reader, &local);
    ready = 1;
}
int main(void) {
    start();
    while (ready == 1) {
    }
    return 0;
}
