// FAILED race at 8 and 13: the child reads the variable in which pthread_create may still be storing its id
#include <pthread.h>

static pthread_t id;
pthread_t copy;

static void *child(void *arg) {
    copy = id;
    return NULL;
}

int main(void) {
    pthread_create(&id, NULL, child, NULL);
    pthread_join(id, NULL);
    return 0;
}
