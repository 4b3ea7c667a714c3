// FAILED race at 10 and 10: the semaphore that serves as lock is posted twice at the start and lets two threads in
#include <pthread.h>
#include <semaphore.h>

static sem_t gate;
static int inside;

static void *worker(void *arg) {
    sem_wait(&gate);
    inside++;
    sem_post(&gate);
    return NULL;
}

int main(void) {
    pthread_t a, b;
    sem_init(&gate, 0, 0);
    pthread_create(&a, NULL, worker, NULL);
    pthread_create(&b, NULL, worker, NULL);
    sem_post(&gate);
    sem_post(&gate);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    sem_destroy(&gate);
    return 0;
}
