// FAILED race at 9 and 9: the stretches begin two cells apart but are three cells long, so cell 2 is written by both
#include <pthread.h>

static int table[6];

static void *fill(void *arg) {
    int k = *(int *)arg;
    for (int j = 0; j < 3; j++) {
        table[2 * k + j] = k;
    }
    return NULL;
}

int main(void) {
    pthread_t t[2];
    int id[2] = {0, 1};
    for (int i = 0; i < 2; i++) {
        pthread_create(&t[i], NULL, fill, &id[i]);
    }
    for (int i = 0; i < 2; i++) {
        pthread_join(t[i], NULL);
    }
    return 0;
}
