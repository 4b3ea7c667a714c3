// SUCCESSFUL
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct message {
    int kind;
    int length;
};

static _Atomic(struct message *) slot;

static void *sender(void *arg) {
    struct message *m = arg;
    m->kind = 1;
    m->length = 12;
    atomic_store(&slot, m);
    return NULL;
}

static void *receiver(void *arg) {
    int *sum = arg;
    struct message *m = atomic_load(&slot);
    if (m != NULL) {
        *sum = m->kind + m->length;
    }
    return NULL;
}

int main(void) {
    pthread_t a, b;
    int sum = 0;
    struct message *m = calloc(1, sizeof *m);
    if (m == NULL) {
        return 0;
    }
    pthread_create(&a, NULL, sender, m);
    pthread_create(&b, NULL, receiver, &sum);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    free(m);
    return 0;
}
