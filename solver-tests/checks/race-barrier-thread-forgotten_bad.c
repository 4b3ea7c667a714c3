// FAILED race at 10 and 14: the barrier is for two threads and the third passes by, so its part is read while it is written
#include <pthread.h>

static int part[3];
static int sum[3];
static pthread_barrier_t phase;

static void *worker(void *arg) {
    int id = *(int *)arg;
    part[id] = id + 1;
    if (id != 2) {
        pthread_barrier_wait(&phase);
    }
    sum[id] = part[0] + part[1] + part[2];
    return NULL;
}

int main(void) {
    pthread_t t[3];
    int id[3] = {0, 1, 2};
    pthread_barrier_init(&phase, NULL, 2);
    for (int i = 0; i < 3; i++) {
        pthread_create(&t[i], NULL, worker, &id[i]);
    }
    for (int i = 0; i < 3; i++) {
        pthread_join(t[i], NULL);
    }
    pthread_barrier_destroy(&phase);
    return 0;
}
