// options: --check memory --scheme order --first
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum kind { PRINT, STOP };

struct job {
    enum kind kind;
    char name[4];
    int cost;
    struct job *next;
};

static struct job *queue;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int total;

static void submit(enum kind kind, const char *name, int cost) {
    struct job *job = malloc(sizeof *job);
    job->kind = kind;
    memcpy(job->name, name, sizeof job->name);
    memcpy(&job->cost, &cost, sizeof cost);
    pthread_mutex_lock(&lock);
    job->next = queue;
    queue = job;
    pthread_mutex_unlock(&lock);
}

static void *work(void *argument) {
    pthread_mutex_lock(&lock);
    struct job *job = queue;
    pthread_mutex_unlock(&lock);
    if (job) {
        total += job->cost;
        pthread_mutex_lock(&lock);
        if (queue == job)
            queue = job->next;
        pthread_mutex_unlock(&lock);
        free(job);
    }
    return argument;
}

int main(void) {
    pthread_t one, other;
    submit(PRINT, "abc", -1);
    pthread_create(&one, NULL, work, NULL);
    pthread_create(&other, NULL, work, NULL);
    pthread_join(one, NULL);
    pthread_join(other, NULL);
}
