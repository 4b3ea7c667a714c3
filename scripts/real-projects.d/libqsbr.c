// A reader looks at an object while main takes it away and collects garbage: it is not freed under the reader's eyes. Threads
// register before main collects and leave after it has, as the library asks.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>
#include "gc.h"

struct object {
    int value;
    gc_entry_t entry;
};

static gc_t *gc;
static _Atomic(struct object *) published;
static pthread_barrier_t registered, collected;

static void *read_it(void *argument) {
    (void)argument;
    gc_register(gc);
    pthread_barrier_wait(&registered);
    gc_crit_enter(gc);
    struct object *object = published;
    if (object)
        assert(object->value == 1);
    gc_crit_exit(gc);
    pthread_barrier_wait(&collected);
    gc_unregister(gc);
    return NULL;
}

int main(void) {
    pthread_t reader;
    struct object *object = malloc(sizeof *object);
    object->value = 1;
    published = object;
    gc = gc_create(offsetof(struct object, entry), NULL, NULL);
    pthread_barrier_init(&registered, NULL, 2);
    pthread_barrier_init(&collected, NULL, 2);
    pthread_create(&reader, NULL, read_it, NULL);
    pthread_barrier_wait(&registered);
    published = NULL;
    gc_limbo(gc, object);
    gc_cycle(gc);
    gc_cycle(gc);
    pthread_barrier_wait(&collected);
    pthread_join(reader, NULL);
}
