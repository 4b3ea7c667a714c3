// A use after free, a division by zero and a lost update.
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

struct job {
    int bytes;
};

int done, bytes;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void *work(void *argument) {
    struct job *job = argument;
    done++;
    pthread_mutex_lock(&lock);
    bytes += job->bytes;
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void) {
    pthread_t one, other;
    struct job *job = malloc(sizeof *job);
    job->bytes = 10;
    pthread_create(&one, NULL, work, job);
    pthread_create(&other, NULL, work, job);
    printf("%d bytes for each job\n", bytes / done);
    pthread_join(one, NULL);
    free(job);
    pthread_join(other, NULL);
    assert(done == 2);
}
