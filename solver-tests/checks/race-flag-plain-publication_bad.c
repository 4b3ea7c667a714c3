// FAILED race at 10 and 16: the flag that announces the data is a plain int
#include <pthread.h>
#include <assert.h>

static int data;
static int flag;

static void *producer(void *arg) {
    data = 42;
    flag = 1;
    return NULL;
}

static void *consumer(void *arg) {
    for (int i = 0; i < 3; i++) {
        if (flag) {
            assert(data == 42);
            break;
        }
    }
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, producer, NULL);
    pthread_create(&b, NULL, consumer, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
