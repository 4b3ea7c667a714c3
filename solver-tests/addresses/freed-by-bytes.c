// expect: complete
// options: --unwind 9 --check memory
// A pointer that is freed is one object's own address, or another one's that was put together from its bytes.
#include <pthread.h>
#include <stdlib.h>

struct node {
    int *data;
} *shown;

void *plain(void *arg) {
    struct node *n = malloc(sizeof *n);
    n->data = malloc(sizeof *n->data);
    shown = n;
    return 0;
}

void *by_bytes(void *arg) {
    struct node *n = malloc(sizeof *n);
    int *data = malloc(sizeof *data);
    for (int i = 0; i < sizeof data; i++)
        ((unsigned char *)&n->data)[i] = ((unsigned char *)&data)[i];
    shown = n;
    return 0;
}

int main(void) {
    pthread_t id[2];
    pthread_create(&id[0], 0, plain, 0);
    pthread_create(&id[1], 0, by_bytes, 0);
    pthread_join(id[0], 0);
    pthread_join(id[1], 0);
    free(shown->data);
    return 0;
}
