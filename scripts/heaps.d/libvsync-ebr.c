// Epochs: a reader looks at an object, while a writer puts another one in its place and retires it; main recycles what may be.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <vsync/smr/ebr.h>

struct object {
    smr_node_t node;
    int value;
};

static vebr_t ebr;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static _Atomic(struct object *) published;

static void lock(void *mutex) {
    pthread_mutex_lock(mutex);
}

static void unlock(void *mutex) {
    pthread_mutex_unlock(mutex);
}

static void drop(smr_node_t *node, void *argument) {
    (void)argument;
    free(node);
}

static struct object *make(int value) {
    struct object *made = malloc(sizeof *made);
    made->value = value;
    return made;
}

static void *reader(void *argument) {
    vebr_thread_t thread;
    (void)argument;
    vebr_register(&ebr, &thread);
    vebr_enter(&ebr, &thread);
    struct object *seen = published;
    assert(seen->value == 1 || seen->value == 2);
    vebr_exit(&ebr, &thread);
    vebr_deregister(&ebr, &thread);
    return NULL;
}

static void *writer(void *argument) {
    vebr_thread_t thread;
    (void)argument;
    vebr_register(&ebr, &thread);
    vebr_enter(&ebr, &thread);
    struct object *old = atomic_exchange(&published, make(2));
    vebr_retire(&ebr, &thread, &old->node, drop, NULL);
    vebr_exit(&ebr, &thread);
    vebr_deregister(&ebr, &thread);
    return NULL;
}

int main(void) {
    pthread_t one, other;
    smr_lock_lib_t locks = {lock, unlock, &mutex};
    vebr_init(&ebr, locks);
    published = make(1);
    pthread_create(&one, NULL, reader, NULL);
    pthread_create(&other, NULL, writer, NULL);
    vsize_t recycled = vebr_recycle(&ebr) + vebr_recycle(&ebr);
    assert(recycled <= 1);
    pthread_join(one, NULL);
    pthread_join(other, NULL);
    vebr_destroy(&ebr);
    free(published);
}
