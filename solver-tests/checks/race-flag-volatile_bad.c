// FAILED race at 9 and 20: the stop flag is volatile, which makes it neither atomic nor ordered
#include <pthread.h>

static volatile int stop;
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
