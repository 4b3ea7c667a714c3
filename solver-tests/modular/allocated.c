// proved
// Endless workers on a list that main has allocated; what one of them allocates, it frees.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
struct node {
    int value;
    pthread_mutex_t lock;
    struct node *next;
};
struct node *head;
void *count(void *arg) {
    struct node *own = arg;
    while (1) {
        pthread_mutex_lock(&own->lock);
        own->value = !own->value;
        pthread_mutex_unlock(&own->lock);
    }
    return 0;
}
void *look(void *arg) {
    int *seen = malloc(sizeof *seen);
    *seen = head->next->value;
    assert(*seen == 7 && head->next->next == 0);
    free(seen);
    return 0;
}
int main(void) {
    pthread_t t[3];
    head = malloc(sizeof *head);
    head->value = 0;
    pthread_mutex_init(&head->lock, 0);
    head->next = calloc(1, sizeof *head);
    head->next->value = 7;
    pthread_create(&t[0], 0, count, head);
    pthread_create(&t[1], 0, count, head);
    pthread_create(&t[2], 0, look, 0);
    pthread_mutex_lock(&head->lock);
    assert(head->value >= 0 && head->value <= 1);
    pthread_mutex_unlock(&head->lock);
    return 0;
}
