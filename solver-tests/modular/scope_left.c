// undefined
// The scope of a variable ends between a thread's last visible operation and its access of the variable.
#include <pthread.h>
#include <stdatomic.h>
atomic_int started;
void *reader(void *arg) {
    int *seen = arg;
    started = 1;
    return (void *)(long)*seen;
}
void start(void) {
    int local = 5;
    pthread_t id;
    pthread_create(&id, 0, reader, &local);
    while (!started) {
    }
}
int main(void) {
    start();
    while (started == 1) {
    }
    return 0;
}
