// race
// Elements are apart, but one access is wider than an element.
#include <pthread.h>
_Alignas(8) short counts[4];
void *worker(void *arg) {
    for (;;)
        counts[1] = 0;
}
int main(void) {
    pthread_t a;
    pthread_create(&a, 0, worker, 0);
    for (;;)
        *(int *)counts = 0;
}
