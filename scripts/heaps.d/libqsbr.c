// A reader looks at an object within an epoch; main takes it away and frees it when its epoch has passed. Threads register before main
// looks for that and leave after it has, as the library asks.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/cdefs.h>
#include "ebr.h"

static ebr_t *ebr;
static _Atomic(int *) published;
static pthread_barrier_t registered, collected;

static void *read_it(void *argument) {
    (void)argument;
    assert(ebr_register(ebr) == 0);
    pthread_barrier_wait(&registered);
    ebr_enter(ebr);
    int *object = published;
    if (object)
        assert(*object == 1);
    ebr_exit(ebr);
    pthread_barrier_wait(&collected);
    ebr_unregister(ebr);
    return NULL;
}

int main(void) {
    pthread_t reader;
    int *object = malloc(sizeof *object);
    *object = 1;
    published = object;
    ebr = ebr_create();
    pthread_barrier_init(&registered, NULL, 2);
    pthread_barrier_init(&collected, NULL, 2);
    pthread_create(&reader, NULL, read_it, NULL);
    pthread_barrier_wait(&registered);
    published = NULL;
    unsigned staged = ebr_staging_epoch(ebr), passed;
    for (int tries = 0; tries < 3; tries++)
        if (ebr_sync(ebr, &passed) && passed == staged) {
            free(object);
            break;
        }
    pthread_barrier_wait(&collected);
    pthread_join(reader, NULL);
    ebr_destroy(ebr);
}
