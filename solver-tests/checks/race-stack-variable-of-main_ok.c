// SUCCESSFUL
#include <pthread.h>

static void *worker(void *arg) {
    int *p = arg;
    *p += 5;
    return NULL;
}

int main(void) {
    pthread_t t;
    int local = 1;
    pthread_create(&t, NULL, worker, &local);
    pthread_join(t, NULL);
    local += 2;
    return local == 8 ? 0 : 1;
}
