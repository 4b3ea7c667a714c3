// A sorted list with a lock for each node: one thread adds two keys while another one removes one of them. What is left is what was not
// removed, in order; removed nodes are freed at the end, as nobody says when readers are gone.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <vsync/common/macros.h>
#include LIST

struct item {
    vlistset_node_t node;
    vlistset_key_t key;
    struct item *retired;
};

static vlistset_t list;
static vbool_t removed;
static struct item *retired;

static struct item *make(vlistset_key_t key) {
    struct item *item = malloc(sizeof *item);
    item->key = key;
    return item;
}

static int compare(vlistset_node_t *node, vlistset_key_t key) {
    struct item *item = (struct item *)node;
    return item->key < key ? -1 : item->key > key;
}

static void retire(vlistset_node_t *node, void *argument) {
    (void)argument;
    retired = (struct item *)node;
}

static void drop(vlistset_node_t *node, void *keys) {
    struct item *item = (struct item *)node;
    *(int *)keys = *(int *)keys * 10 + (int)item->key;
    free(item);
}

static void *add(void *argument) {
    (void)argument;
    assert(vlistset_add(&list, 2, &make(2)->node));
    assert(vlistset_add(&list, 1, &make(1)->node));
    return NULL;
}

static void *remove_one(void *argument) {
    (void)argument;
    removed = vlistset_remove(&list, 2);
    return NULL;
}

int main(void) {
    pthread_t one, other;
    int keys = 0;
    vlistset_init(&list, retire, NULL, compare);
    pthread_create(&one, NULL, add, NULL);
    pthread_create(&other, NULL, remove_one, NULL);
    pthread_join(one, NULL);
    pthread_join(other, NULL);
    // On its way to where the key would be, this takes out what was only marked.
    assert(!vlistset_remove(&list, 3));
    _vlistset_visit(&list, drop, &keys, true);
    assert(keys == (removed ? 1 : 12));
    assert(removed == (retired != NULL));
    free(retired);
}
