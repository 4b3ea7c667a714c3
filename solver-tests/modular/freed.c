// undefined
// Memory is freed while another thread may still use it.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
int *shared;
void *use(void *arg) {
    for (int i = 0; i < 2; i++)
        *shared = 1;
    assert(*shared == 1);
    return 0;
}
int main(void) {
    pthread_t t;
    shared = calloc(1, sizeof *shared);
    pthread_create(&t, 0, use, 0);
    free(shared);
    return 0;
}
