// SUCCESSFUL
#include <pthread.h>

static _Thread_local int mine;

static void *worker(void *arg) {
    int *p = &mine;
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
