// proved
// A node of the heap whose lock is in it.
#include <pthread.h>
#include <stdlib.h>
struct node { pthread_mutex_t m; int value; };
void *worker(void *arg) {
    struct node *node = arg;
    for (;;) {
        pthread_mutex_lock(&node->m);
        node->value++;
        pthread_mutex_unlock(&node->m);
    }
}
int main(void) {
    struct node *node = malloc(sizeof *node);
    if (!node)
        return 0;
    pthread_mutex_init(&node->m, 0);
    node->value = 0;
    pthread_t a, b;
    pthread_create(&a, 0, worker, node);
    pthread_create(&b, 0, worker, node);
    pthread_join(a, 0);
    return 0;
}
