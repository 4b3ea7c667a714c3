// unsafe
// Which byte of an array nobody has set depended on reads that had become others when the formula was made smaller: the counterexample had
// two values for one byte, and did not replay.
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
struct node { unsigned char k; struct node *next; };
uintptr_t word;
unsigned char go;

void *worker0(void *arg) {
    struct node *n = calloc(1, sizeof *n);
    n->k = 1;
    n->next = 0;
    word = (uintptr_t)n;
    return 0;
}

void *worker1(void *arg) {
    struct node *s = (struct node *)word;
    if (s) {
        assert(s->k != 0);
        free(s);
    }
    return 0;
}

int main(void) {
    pthread_t id[2];
     {
        struct node *n = malloc(sizeof *n);
        if (!word) word = (uintptr_t)(void *)n;
    }
    pthread_create(&id[0], 0, worker0, 0);
    pthread_create(&id[1], 0, worker1, 0);
    pthread_join(id[0], 0);
    pthread_join(id[1], 0);
    if (word) assert(((struct node *)word)->k != 0);
    return 0;
}
