// FAILED memory at 26: null pointer read, queue is checked in one critical section and popped in the next
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>

struct event {
    int code;
    struct event *next;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct event *head;

static bool pending(void)
{
    pthread_mutex_lock(&lock);
    bool some = head != NULL;
    pthread_mutex_unlock(&lock);
    return some;
}

static void pop(void)
{
    pthread_mutex_lock(&lock);
    struct event *e = head;
    head = e->next;
    pthread_mutex_unlock(&lock);
    free(e);
}

static void *handler(void *arg)
{
    if (pending())
        pop();
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    head = calloc(1, sizeof *head);
    if (head == NULL)
        return 1;
    pthread_create(&a, NULL, handler, NULL);
    pthread_create(&b, NULL, handler, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
