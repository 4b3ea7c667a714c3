// FAILED race at 9 and 14: one byte within the copied stretch is written during the copy
#include <pthread.h>
#include <string.h>

static char block[8] = "abcdefg";
static char copy[8];

static void *copier(void *arg) {
    memcpy(copy, block, 6);
    return NULL;
}

static void *writer(void *arg) {
    block[5] = 'x';
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, copier, NULL);
    pthread_create(&b, NULL, writer, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
