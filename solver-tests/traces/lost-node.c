// options: --check assert --scheme order
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum state { IDLE, BUSY };
typedef struct {
    pthread_mutex_t lock;
    struct node *head;
    enum state state;
    bool closed;
} list_t;
struct node {
    int key;
    char mark;
    struct node *next;
};

static list_t *list;

static struct node *make(int key) {
    struct node *node = malloc(sizeof *node);
    int copy;
    memcpy(&copy, &key, sizeof copy);
    node->key = copy;
    node->mark = 'a';
    node->next = NULL;
    return node;
}

static void *add(void *argument) {
    struct node *node = make(*(int *)argument);
    pthread_mutex_lock(&list->lock);
    struct node *head = list->head;
    list->state = BUSY;
    pthread_mutex_unlock(&list->lock);
    node->next = head;
    pthread_mutex_lock(&list->lock);
    list->head = node;
    pthread_mutex_unlock(&list->lock);
    return NULL;
}

int main(void) {
    pthread_t one, other;
    int keys[2] = {-1, 2};
    list = malloc(sizeof *list);
    pthread_mutex_init(&list->lock, NULL);
    list->head = NULL;
    list->closed = false;
    list->state = IDLE;
    pthread_create(&one, NULL, add, &keys[0]);
    pthread_create(&other, NULL, add, &keys[1]);
    pthread_join(one, NULL);
    pthread_join(other, NULL);
    list->closed = true;
    assert(list->head && list->head->next);
}
