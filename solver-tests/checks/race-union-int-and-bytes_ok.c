// SUCCESSFUL
#include <pthread.h>

union word {
    unsigned int whole;
    unsigned char byte[4];
};

static union word w;

static void *first(void *arg) {
    w.byte[0] = 7;
    w.byte[1] = 0;
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
    return w.whole == 0x00090007u ? 0 : 1;
}
