// A reader goes through an RCU list of two while main takes one out, waits for the readers, and frees it.
#include <assert.h>
#include <rculist.h>

struct item {
    int number;
    struct list_head node;
};

static struct list_head head;

static void *reader(void *argument) {
    struct item *item;
    (void)argument;
    rcu_init();
    rcu_read_lock();
    list_for_each_entry_rcu(item, &head, node)
        assert(item->number == 1 || item->number == 2);
    rcu_read_unlock();
    return NULL;
}

static struct item *make(int number) {
    struct item *item = malloc(sizeof *item);
    item->number = number;
    list_init_rcu(&item->node);
    list_add_tail_rcu(&item->node, &head);
    return item;
}

int main(void) {
    pthread_t other;
    list_init_rcu(&head);
    struct item *one = make(1), *two = make(2);
    pthread_create(&other, NULL, reader, NULL);
    list_del_rcu(&two->node);
    synchronize_rcu();
    free(two);
    pthread_join(other, NULL);
    free(one);
    rcu_clean();
}
