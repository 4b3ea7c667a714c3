// The split-ordered hash table of liburcu with two buckets: one thread adds two nodes to the same bucket while another one looks for the
// first and deletes it. Readers never end, so nothing is freed before the end. What was not deleted is there.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <urcu/arch.h>
// How many processors there are is then not read from files.
#undef __linux__
#include <rculfhash.c>

static struct cds_lfht *table;
static struct cds_lfht_node nodes[2];
static int deleted;

static void nothing(void) {
}

static void thread(void) {
}

static int match(struct cds_lfht_node *node, const void *key) {
    return node == key;
}

static const struct rcu_flavor_struct flavor = {
    .read_lock = nothing, .read_unlock = nothing, .update_synchronize_rcu = nothing, .thread_offline = thread, .thread_online = thread,
};

static struct cds_lfht_node *find(int number) {
    struct cds_lfht_iter iterator;
    cds_lfht_lookup(table, 1 + 2 * number, match, &nodes[number], &iterator);
    return cds_lfht_iter_get_node(&iterator);
}

static void *add(void *argument) {
    (void)argument;
    assert(cds_lfht_add_unique(table, 1, match, &nodes[0], &nodes[0]) == &nodes[0]);
    assert(cds_lfht_add_unique(table, 3, match, &nodes[1], &nodes[1]) == &nodes[1]);
    return NULL;
}

static void *delete(void *argument) {
    (void)argument;
    struct cds_lfht_node *node = find(0);
    assert(!node || node == &nodes[0]);
    if (node)
        deleted = cds_lfht_del(table, node) == 0;
    return NULL;
}

int main(void) {
    pthread_t one, other;
    table = _cds_lfht_new(2, 2, 2, 0, &cds_lfht_mm_order, &flavor, NULL);
    cds_lfht_node_init(&nodes[0]);
    cds_lfht_node_init(&nodes[1]);
    pthread_create(&one, NULL, add, NULL);
    pthread_create(&other, NULL, delete, NULL);
    pthread_join(one, NULL);
    pthread_join(other, NULL);
    assert((find(0) == NULL) == deleted);
    assert(find(1) == &nodes[1]);
}
