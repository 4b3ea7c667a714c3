// FAILED race at 8 and 15: main hands out the address of its own thread-local object and both threads change it
#include <pthread.h>

static _Thread_local int mine;

static void *worker(void *arg) {
    int *p = arg;
    *p += 1;
    return NULL;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, worker, &mine);
    mine += 1;
    pthread_join(t, NULL);
    return 0;
}
