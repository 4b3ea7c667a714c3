// FAILED race at 18 and 25: nodes are pushed under the lock but the head is read without it
#include <pthread.h>
#include <stddef.h>

struct node {
    int value;
    struct node *next;
};

static struct node nodes[2] = {{4, NULL}, {5, NULL}};
static struct node *head;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *pusher(void *arg) {
    struct node *n = arg;
    pthread_mutex_lock(&lock);
    n->next = head;
    head = n;
    pthread_mutex_unlock(&lock);
    return NULL;
}

static void *peeker(void *arg) {
    int *out = arg;
    struct node *first = head;
    if (first != NULL) {
        *out = first->value;
    }
    return NULL;
}

int main(void) {
    pthread_t a, b, c;
    int top = 0;
    pthread_create(&a, NULL, pusher, &nodes[0]);
    pthread_create(&b, NULL, pusher, &nodes[1]);
    pthread_create(&c, NULL, peeker, &top);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    pthread_join(c, NULL);
    return 0;
}
