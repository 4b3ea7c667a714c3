// A lock-free skip list of two levels: one thread inserts a key at a level of its own choice while another one deletes it. It is deleted
// once, there or at the end, and the size says so.
#include <assert.h>
#include <pthread.h>
#define random_level random_level_of_16
#include <skiplist_utils.c>
#undef random_level
#include <skiplist_lockfree.c>

int __VERIFIER_nondet_int(void);

static SkipList *list;
static bool inserted, deleted;

int random_level(void) {
    return __VERIFIER_nondet_int() != 0;
}

static void *insert(void *argument) {
    (void)argument;
    inserted = skiplist_insert_lockfree(list, 1, 10);
    return NULL;
}

static void *delete(void *argument) {
    (void)argument;
    deleted = skiplist_delete_lockfree(list, 1);
    return NULL;
}

int main(void) {
    pthread_t one, other;
    list = skiplist_create_lockfree();
    list->maxLevel = 1;
    pthread_create(&one, NULL, insert, NULL);
    pthread_create(&other, NULL, delete, NULL);
    pthread_join(one, NULL);
    pthread_join(other, NULL);
    assert(inserted);
    assert(skiplist_contains_lockfree(list, 1) == !deleted);
    assert(list->size == !deleted);
    skiplist_destroy_lockfree(list);
}
