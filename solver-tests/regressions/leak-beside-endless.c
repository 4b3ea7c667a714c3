// safe
// A thread that never ends leaves no result, and so was not known to hold what it has allocated: a leak that is none.
#include <pthread.h>
#include <stdlib.h>

void *serve(void *arg) {
    int *own = malloc(sizeof *own);
    for (;;)
        ;
    free(own);
    return 0;
}

int main(void) {
    pthread_t id;
    pthread_create(&id, 0, serve, 0);
    return 0;
}
