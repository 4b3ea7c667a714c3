// proved
// Each thread has an element of its own.
#include <pthread.h>
int counts[3];
void *worker(void *arg) {
    int *mine = arg;
    for (;;)
        (*mine)++;
}
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, worker, &counts[0]);
    pthread_create(&b, 0, worker, &counts[1]);
    for (;;)
        counts[2]--;
}
