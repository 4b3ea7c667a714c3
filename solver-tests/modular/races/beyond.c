// race
// Accesses beyond an object are invalid, and race all the same.
#include <pthread.h>
int data;
void *t(void *arg) {
    (&data)[1] = 1;
    return 0;
}
int main(void) {
    pthread_t a;
    pthread_create(&a, 0, t, 0);
    (&data)[1] = 2;
    return 0;
}
