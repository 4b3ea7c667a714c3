// proved
// Threads take turns in halves of an array, at indices that they compute.
#include <pthread.h>
unsigned char data[8];
unsigned char lower, upper;
void *low(void *arg) {
    for (;;) {
        lower = (lower + 1) & 3;
        data[lower]++;
    }
}
int main(void) {
    pthread_t a;
    pthread_create(&a, 0, low, 0);
    for (;;) {
        upper = (upper + 1) & 3;
        data[4 + upper]++;
    }
}
