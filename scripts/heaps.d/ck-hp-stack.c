// Treiber's stack with hazard pointers: two threads push a node, pop one and free it as soon as nobody may look at it. Each node comes
// out once and is freed once.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <ck_hp_stack.h>

struct item {
    ck_stack_entry_t entry;
    ck_hp_hazard_t hazard;
};

static ck_hp_t hazards;
static ck_stack_t stack;
static ck_hp_record_t records[2];
static void *pointers[2][1];
static atomic_int destroyed;

static void destroy(void *item) {
    destroyed++;
    free(item);
}

static void *work(void *argument) {
    ck_hp_record_t *record = argument;
    struct item *item = malloc(sizeof *item);
    ck_hp_stack_push_mpmc(&stack, &item->entry);
    item = (struct item *)ck_hp_stack_pop_mpmc(record, &stack);
    assert(item);
    ck_hp_set(record, 0, NULL);
    ck_hp_free(record, &item->hazard, item, item);
    return NULL;
}

int main(void) {
    pthread_t one, other;
    ck_hp_init(&hazards, 1, 1, destroy);
    ck_hp_register(&hazards, &records[0], pointers[0]);
    ck_hp_register(&hazards, &records[1], pointers[1]);
    pthread_create(&one, NULL, work, &records[0]);
    pthread_create(&other, NULL, work, &records[1]);
    pthread_join(one, NULL);
    pthread_join(other, NULL);
    ck_hp_reclaim(&records[0]);
    ck_hp_reclaim(&records[1]);
    assert(destroyed == 2);
}
