// SUCCESSFUL
#include <threads.h>
#include <stddef.h>

struct job {
    mtx_t *guard;
    int *datum;
};

static void enter(struct job *j) {
    mtx_lock(j->guard);
}

static void leave(struct job *j) {
    mtx_unlock(j->guard);
}

static int run(void *arg) {
    struct job *j = arg;
    enter(j);
    *j->datum += 1;
    leave(j);
    return 0;
}

int main(void) {
    thrd_t a, b;
    mtx_t one, two;
    int datum = 0;
    struct job first = {&one, &datum};
    struct job second = {&one, &datum};
    mtx_init(&one, mtx_plain);
    mtx_init(&two, mtx_plain);
    thrd_create(&a, run, &first);
    thrd_create(&b, run, &second);
    thrd_join(a, NULL);
    thrd_join(b, NULL);
    mtx_destroy(&one);
    mtx_destroy(&two);
    return 0;
}
