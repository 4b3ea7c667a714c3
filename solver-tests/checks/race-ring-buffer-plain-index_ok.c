// SUCCESSFUL
#include <pthread.h>
#include <stdatomic.h>

static int ring[2];
static atomic_uint head, tail;

static void *producer(void *arg) {
    for (int i = 0; i < 3; i++) {
        unsigned int t = tail;
        unsigned int h = head;
        if (t - h < 2) {
            ring[t % 2] = i + 1;
            tail = t + 1;
        }
    }
    return NULL;
}

static void *consumer(void *arg) {
    int *sum = arg;
    for (int i = 0; i < 3; i++) {
        unsigned int h = head;
        unsigned int t = tail;
        if (h != t) {
            *sum += ring[h % 2];
            head = h + 1;
        }
    }
    return NULL;
}

int main(void) {
    pthread_t a, b;
    int sum = 0;
    pthread_create(&a, NULL, producer, NULL);
    pthread_create(&b, NULL, consumer, &sum);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return sum <= 6 ? 0 : 1;
}
