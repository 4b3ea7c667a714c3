// safe
// A result is written before its thread ends, which drains the buffer: replay ended the thread too early.
#include <assert.h>
#include <pthread.h>

int x, y;

void *look(void *unused) {
    y = 1;
    return (void *)(long)x;
}

int main(void) {
    pthread_t t;
    void *seen;
    pthread_create(&t, 0, look, 0);
    x = 1;
    int r = y;
    pthread_join(t, &seen);
    assert(r || (long)seen == 1);
}
