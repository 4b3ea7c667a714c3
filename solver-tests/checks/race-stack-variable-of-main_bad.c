// FAILED race at 6 and 14: main changes its local variable while the thread still uses it through the pointer
#include <pthread.h>

static void *worker(void *arg) {
    int *p = arg;
    *p += 5;
    return NULL;
}

int main(void) {
    pthread_t t;
    int local = 1;
    pthread_create(&t, NULL, worker, &local);
    local += 2;
    pthread_join(t, NULL);
    return 0;
}
