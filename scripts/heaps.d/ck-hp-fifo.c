// Michael and Scott's queue with hazard pointers: one thread enqueues two numbers, two threads dequeue one, if there is one, and free the
// old head as soon as nobody may look at it. No number comes out twice, and each consumer gets them in order.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <ck_hp_fifo.h>

static ck_hp_t hazards;
static ck_hp_fifo_t queue;
static ck_hp_record_t records[2];
static void *pointers[2][CK_HP_FIFO_SLOTS_COUNT];

static void *take(ck_hp_record_t *record) {
    void *number;
    ck_hp_fifo_entry_t *old = ck_hp_fifo_dequeue_mpmc(record, &queue, &number);
    if (!old)
        return NULL;
    ck_hp_clear(record);
    ck_hp_free(record, &old->hazard, old, old);
    return number;
}

static void *consume(void *argument) {
    (void)argument;
    return take(&records[1]);
}

int main(void) {
    pthread_t other;
    void *number;
    ck_hp_init(&hazards, CK_HP_FIFO_SLOTS_COUNT, 1, free);
    ck_hp_register(&hazards, &records[0], pointers[0]);
    ck_hp_register(&hazards, &records[1], pointers[1]);
    ck_hp_fifo_init(&queue, malloc(sizeof(ck_hp_fifo_entry_t)));
    pthread_create(&other, NULL, consume, NULL);
    for (uintptr_t next = 1; next <= 2; next++)
        ck_hp_fifo_enqueue_mpmc(&records[0], &queue, malloc(sizeof(ck_hp_fifo_entry_t)), (void *)next);
    void *own = take(&records[0]);
    pthread_join(other, &number);
    assert(own && own != number && (uintptr_t)own <= 2 && (uintptr_t)number <= 2);
    assert(number ? CK_HP_FIFO_ISEMPTY(&queue) : own == (void *)1);
}
