// SUCCESSFUL
#include <pthread.h>

static int first_result;
static int second_result;

static void *first(void *arg) {
    first_result = 11;
    return NULL;
}

static void *second(void *arg) {
    second_result = 22;
    return NULL;
}

int main(void) {
    pthread_t a, b;
    int got;
    pthread_create(&a, NULL, first, NULL);
    pthread_create(&b, NULL, second, NULL);
    pthread_join(a, NULL);
    got = first_result;
    pthread_join(b, NULL);
    got += second_result;
    return got > 33 ? 1 : 0;
}
