// SUCCESSFUL
#include <pthread.h>
#include <stdatomic.h>

static atomic_int stop;
static int rounds;

static void *worker(void *arg) {
    for (int i = 0; i < 3; i++) {
        if (stop) {
            break;
        }
        rounds++;
    }
    return NULL;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL);
    stop = 1;
    pthread_join(t, NULL);
    return rounds <= 3 ? 0 : 1;
}
