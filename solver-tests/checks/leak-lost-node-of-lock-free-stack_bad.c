// FAILED leak at 14: a node is lost when two threads push to the same old head
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct node {
    struct node *next;
};

static struct node *_Atomic top;

static void *push(void *arg)
{
    struct node *n = malloc(sizeof *n);
    if (n == NULL)
        abort();
    n->next = atomic_load(&top);
    atomic_store(&top, n);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, push, NULL);
    pthread_create(&b, NULL, push, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    struct node *n = atomic_load(&top);
    while (n != NULL) {
        struct node *next = n->next;
        free(n);
        n = next;
    }
    return 0;
}
