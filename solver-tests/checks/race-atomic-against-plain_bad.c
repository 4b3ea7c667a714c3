// FAILED race at 7 and 12: one thread counts atomically, the other with a plain increment
#include <pthread.h>

static int n;

static void *polite(void *arg) {
    __atomic_fetch_add(&n, 1, __ATOMIC_SEQ_CST);
    return NULL;
}

static void *hasty(void *arg) {
    n++;
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, polite, NULL);
    pthread_create(&b, NULL, hasty, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
