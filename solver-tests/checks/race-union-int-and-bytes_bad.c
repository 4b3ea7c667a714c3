// FAILED race at 12 and 17: one thread writes the whole word while the other writes its byte 2
#include <pthread.h>

union word {
    unsigned int whole;
    unsigned char byte[4];
};

static union word w;

static void *first(void *arg) {
    w.whole = 7;
    return NULL;
}

static void *second(void *arg) {
    w.byte[2] = 9;
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, first, NULL);
    pthread_create(&b, NULL, second, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
