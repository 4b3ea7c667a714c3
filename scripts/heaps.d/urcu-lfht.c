// The split-ordered hash table of liburcu with two buckets: one thread adds two keys to the same bucket while another one looks for the
// first and deletes it. Readers never end, so nothing is freed before the end. What was not deleted is there.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <urcu/arch.h>
// How many processors there are is then not read from files.
#undef __linux__
#include <rculfhash.c>

struct item {
    struct cds_lfht_node node;
    int key;
};

static struct cds_lfht *table;
static int deleted;

static void nothing(void) {
}

static int match(struct cds_lfht_node *node, const void *key) {
    return ((struct item *)node)->key == *(const int *)key;
}

static const struct rcu_flavor_struct flavor = {
    .read_lock = nothing, .read_unlock = nothing, .update_synchronize_rcu = nothing, .thread_offline = nothing, .thread_online = nothing,
};

static struct cds_lfht_node *find(int key) {
    struct cds_lfht_iter iterator;
    cds_lfht_lookup(table, key, match, &key, &iterator);
    return cds_lfht_iter_get_node(&iterator);
}

static void put(int key) {
    struct item *item = malloc(sizeof *item);
    item->key = key;
    cds_lfht_node_init(&item->node);
    assert(cds_lfht_add_unique(table, key, match, &key, &item->node) == &item->node);
}

static void *add(void *argument) {
    (void)argument;
    put(1);
    put(3);
    return NULL;
}

static void *delete(void *argument) {
    (void)argument;
    struct cds_lfht_node *node = find(1);
    if (node) {
        assert(((struct item *)node)->key == 1);
        deleted = cds_lfht_del(table, node) == 0;
    }
    return NULL;
}

int main(void) {
    pthread_t one, other;
    table = _cds_lfht_new(2, 2, 2, 0, &cds_lfht_mm_order, &flavor, NULL);
    pthread_create(&one, NULL, add, NULL);
    pthread_create(&other, NULL, delete, NULL);
    pthread_join(one, NULL);
    pthread_join(other, NULL);
    assert((find(1) == NULL) == deleted);
    assert(((struct item *)find(3))->key == 3);
}
