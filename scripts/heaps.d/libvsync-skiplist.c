// A lock-free skip list: one thread adds a key at two levels while another one removes it. It is removed once, there or at the end, and
// handed back once.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <vsync/map/skiplist_lf.h>

#define SIZE (sizeof(vskiplist_node_t) + 2 * sizeof(vatomicptr_markable_t))

static vskiplist_t list;
static vskiplist_node_t *nodes[2];
static vbool_t removed;
static int retired;

static int compare(vskiplist_node_t *node, vskiplist_key_t key) {
    vskiplist_key_t own = node == nodes[0] ? 1 : 2;
    return own < key ? -1 : own > key;
}

static void retire(vskiplist_node_t *node, void *argument) {
    (void)argument;
    assert(node == nodes[0]);
    __atomic_fetch_add(&retired, 1, __ATOMIC_SEQ_CST);
}

static void *add(void *argument) {
    (void)argument;
    assert(vskiplist_add(&list, 1, nodes[0], NULL, 2));
    return NULL;
}

static void *remove_it(void *argument) {
    (void)argument;
    removed = vskiplist_remove(&list, 1);
    return NULL;
}

int main(void) {
    pthread_t one, other;
    for (int i = 0; i < 2; i++)
        nodes[i] = malloc(SIZE);
    vskiplist_init(&list, compare, retire, NULL, 1, malloc(VSKIPLIST_SENTINEL_SZ), malloc(VSKIPLIST_SENTINEL_SZ));
    assert(vskiplist_add(&list, 2, nodes[1], NULL, 1));
    pthread_create(&one, NULL, add, NULL);
    pthread_create(&other, NULL, remove_it, NULL);
    pthread_join(one, NULL);
    pthread_join(other, NULL);
    assert(vskiplist_remove(&list, 1) != removed);
    assert(vskiplist_lookup(&list, 1) == NULL && vskiplist_lookup(&list, 2) == nodes[1]);
    vskiplist_cleanup(&list);
    assert(retired == 1);
}
