// unsafe
// Nobody asks for the threads' ids.
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

int x, y;

void *left(void *arg) {
    x = 1;
    assert(y == 0);
}

void *right(void *arg) {
    y = 1;
}

int main(void) {
    pthread_create(NULL, NULL, left, NULL);
    pthread_create(NULL, NULL, right, NULL);
}
