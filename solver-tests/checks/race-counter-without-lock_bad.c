// FAILED race at 9 and 9: two workers count in one variable and take no lock
#include <pthread.h>
#include <assert.h>

static int counter;

static void *worker(void *arg) {
    for (int i = 0; i < 2; i++) {
        counter++;
    }
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, worker, NULL);
    pthread_create(&b, NULL, worker, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(counter >= 2 && counter <= 4);
    return 0;
}
